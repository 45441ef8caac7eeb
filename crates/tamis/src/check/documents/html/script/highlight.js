// Colours for code: words, strings, numbers and comments are told apart line by line.

const KEYWORDS = {
  c: "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool bool size_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t assert __VERIFIER_assume __VERIFIER_assert reach_error __VERIFIER_error",
  v: "module endmodule input output inout wire reg logic always always_ff always_comb initial begin end if else case casez endcase default assign posedge negedge or parameter localparam assert assume cover property integer for generate endgenerate function endfunction bit int",
  btor2: "sort bitvec array input state init next bad constraint one zero ones const constd consth eq neq and or xor not add sub mul ite slice concat ult ulte ugt ugte slt slte sgt sgte uext sext implies iff justice fair output read write",
};
const WORDS = Object.fromEntries(Object.entries(KEYWORDS).map(([name, words]) => [name, new Set(words.split(" "))]));

function languageOf(file) {
  if (/\.btor2?$/.test(file)) return "btor2";
  return /\.s?vh?$/.test(file) ? "v" : "c";
}

/** For each line of a file, whether it begins in a comment. */
function commentsOf(source) {
  source.inside ??= (() => {
    const inside = new Uint8Array(source.lines.length);
    if (languageOf(source.file) === "btor2") return inside;
    let open = 0;
    source.lines.forEach((line, i) => {
      inside[i] = open;
      if (!open && !line.includes("/*")) return;
      let at = 0;
      for (;;) {
        if (open) {
          at = line.indexOf("*/", at);
          if (at < 0) break;
          [open, at] = [0, at + 2];
        } else {
          const token = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/|\/\*/g;
          token.lastIndex = at;
          let found;
          do found = token.exec(line); while (found && found[0] !== "//" && found[0] !== "/*");
          if (!found || found[0] === "//") break;
          [open, at] = [1, found.index + 2];
        }
      }
    });
    return inside;
  })();
  return source.inside;
}

const TOKENS = {
  c: /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(\b\d[\w.']*)|([A-Za-z_$][\w$]*)|(^\s*#\s*\w+)/g,
  btor2: /(;.*)|("[^"]*")|(\b\d+\b)|([A-Za-z_$][\w$]*)|(\0)/g,
};
TOKENS.v = TOKENS.c;

/** A line as pieces of code. */
function coloured(source, line) {
  const text = source.lines[line - 1] ?? "";
  if (text.length > 2000) return [text];
  const language = languageOf(source.file);
  const pieces = [];
  let at = 0;
  if (commentsOf(source)[line - 1]) {
    const end = text.indexOf("*/");
    at = end < 0 ? text.length : end + 2;
    pieces.push(h("span", { class: "c" }, text.slice(0, at)));
  }
  const token = TOKENS[language];
  token.lastIndex = at;
  for (let found; (found = token.exec(text)); ) {
    if (found[0] === "") break;
    const kind = found[1] ? "c" : found[2] ? "s" : found[3] ? "d" : found[5] ? "p" : WORDS[language].has(found[4]) ? "k" : null;
    if (!kind) continue;
    pieces.push(text.slice(at, found.index), h("span", { class: kind }, found[0]));
    at = found.index + found[0].length;
  }
  return [...pieces, text.slice(at)].filter((piece) => piece !== "");
}
