// A button on every session of the manual opens it in the calculator as a page, which lies beside the book.
for (const code of document.querySelectorAll("pre > code.language-session")) {
  const lines = code.textContent.split("\n").filter((line) => /^(∂>| …) /.test(line));
  const link = document.createElement("a");
  link.href = `${path_to_root}../chainrule.html#run=${encodeURIComponent(lines.map((line) => line.slice(3)).join("\n"))}`;
  link.textContent = "run";
  link.title = "Run this session in the browser";
  link.target = "_blank";
  link.rel = "noopener";
  const row = document.createElement("div");
  row.style.textAlign = "right";
  row.append(link);
  code.parentElement.before(row);
}
