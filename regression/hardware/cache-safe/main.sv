// A direct-mapped cache with tags in front of a memory, write-through: a hit has what the memory has.
module cache(input clk, input req, input we, input [3:0] a, input [1:0] d);
  reg [1:0] memory [0:15];
  reg [1:0] data [0:3];
  reg [1:0] tags [0:3];
  reg [3:0] valid = 0;
  wire [1:0] line = a[1:0];
  wire hit = valid[line] && tags[line] == a[3:2];
  always @(posedge clk) if (req) begin
    if (we) begin
      memory[a] <= d;
      if (hit) data[line] <= d;
    end else if (!hit) begin
      data[line] <= memory[a]; tags[line] <= a[3:2]; valid[line] <= 1;
    end
  end
  coherent: assert property (@(posedge clk) req && hit |-> data[line] == memory[a]);
endmodule
