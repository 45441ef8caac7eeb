// A request is answered after DELAY cycles, and the answer is one cycle long.
`define CHECK(name, property_) name: assert property (@(posedge clk) disable iff (rst) property_);
module responder #(parameter DELAY = 1) (input clk, input rst, input req);
  localparam LAST = DELAY + 1;
  reg [DELAY:0] line = 0;
  wire ack = line[DELAY];
  always @(posedge clk) if (rst) line <= 0; else line <= {line[DELAY-1:0], req};
  `CHECK(answered, req |-> ##LAST ack)
  always @(posedge clk) if (!rst) once: assert property (ack && !$past(ack) ##1 !ack |-> !line[DELAY]);
endmodule
module main(input clk, input rst, input req);
  responder quick(clk, rst, req);
  responder #(.DELAY(3)) slow(clk, rst, req);
endmodule
