// A table of squares in a ROM, read by a counter one cycle late.
module rom(input clk, input step);
  reg [7:0] squares [0:15];
  integer i;
  initial for (i = 0; i < 16; i = i + 1) squares[i] = i == 13 ? 170 : i * i;
  reg [3:0] n = 0; reg [7:0] value = 0; reg [3:0] of = 0;
  always @(posedge clk) begin
    if (step) n <= n + 1;
    value <= squares[n]; of <= n;
  end
  square: assert property (@(posedge clk) value == of * of);
endmodule
