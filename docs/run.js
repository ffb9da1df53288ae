// Links of the manual that open the calculator as a page, which lies beside the book.
function calculator(hash) {
  const link = document.createElement("a");
  link.href = `${path_to_root}../chainrule.html${hash}`;
  link.target = "_blank";
  link.rel = "noopener";
  return link;
}

// A button on every session runs it.
for (const code of document.querySelectorAll("pre > code.language-session")) {
  const lines = code.textContent.split("\n").filter((line) => /^(∂>| …) /.test(line));
  const link = calculator(`#run=${encodeURIComponent(lines.map((line) => line.slice(3)).join("\n"))}`);
  link.textContent = "run";
  link.title = "Run this session in the browser";
  const row = document.createElement("div");
  row.style.textAlign = "right";
  row.append(link);
  code.parentElement.before(row);
}

// `#play=slope`, as the course has it, opens the lesson.
for (const code of document.querySelectorAll("td > code")) {
  if (!code.textContent.startsWith("#play=")) continue;
  const link = calculator(code.textContent);
  code.replaceWith(link);
  link.append(code);
}
