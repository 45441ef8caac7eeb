// A FIFO whose contents are compared with a shadow of one word that is chosen once.
module fifo #(parameter A = 2, W = 2) (input clk, input rst, input push, input pop, input [W-1:0] din);
  reg [W-1:0] mem [0:(1<<A)-1];
  reg [A:0] count = 0;
  reg [A-1:0] head = 0, tail = 0;
  wire full = count == (1 << A);
  wire empty = count == 0;
  wire do_push = push && !full;
  wire do_pop = pop && !empty;
  always @(posedge clk)
    if (rst) begin count <= 0; head <= 0; tail <= 0; end
    else begin
      if (do_push) begin mem[tail] <= din; tail <= tail + 1; end
      if (do_pop) head <= head + 1;
      count <= count + do_push - do_pop;
    end
  // The word that is followed: pushed at some time, `ahead` words stand before it.
  reg follows = 0; reg [W-1:0] word; reg [A:0] ahead;
  wire choose = $anyseq;
  always @(posedge clk)
    if (rst) follows <= 0;
    else if (!follows && do_push && choose) begin follows <= 1; word <= din; ahead <= count - do_pop; end
    else if (follows && do_pop) begin if (ahead == 0) follows <= 0; else ahead <= ahead - 1; end
  p: assert property (@(posedge clk) follows && ahead == 0 && do_pop |-> mem[head] == word);
  q: assert property (@(posedge clk) count <= (1 << A));
endmodule
