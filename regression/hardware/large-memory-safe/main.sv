// A memory of 16,384 bits, more than are taken as single registers: what was written to an address is what is held there.
module big(input clk, input we, input [9:0] wa, ra, input [15:0] wd);
  reg [15:0] mem [0:1023];
  reg seen = 0; reg [9:0] at; reg [15:0] held;
  wire pick = $anyseq;
  always @(posedge clk) begin
    if (we) mem[wa] <= wd;
    if (we && pick) begin seen <= 1; at <= wa; held <= wd; end
    else if (we && seen && wa == at) held <= wd;
  end
  held_there: assert property (@(posedge clk) seen |-> mem[at] == held);
endmodule
