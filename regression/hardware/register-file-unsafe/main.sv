// A register file whose reads see the write of the same cycle; register 0 stays 0.
module regfile(input clk, input we, input [1:0] wa, ra, input [3:0] wd);
  reg [3:0] r [0:3];
  integer i;
  initial for (i = 0; i < 4; i = i + 1) r[i] = 0;
  reg [3:0] out = 0; reg [1:0] asked = 0;
  always @(posedge clk) begin
    if (we && wa != 0) r[wa] <= wd;
    out <= r[ra];
    asked <= ra;
  end
  fresh: assert property (@(posedge clk) 1 |=> out == r[asked]);
  zero: assert property (@(posedge clk) r[0] == 0);
endmodule
