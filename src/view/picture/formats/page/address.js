// The address of the page names the step, so that a link can: `#step=3`, and `#step=3&pass=forward` where it is not the
// pass that the page begins with.

const own = direction;
let naming = 0;

function arrive() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const place = Number(asked.get("step") ?? NaN);
  if (!Number.isFinite(place)) return false;
  const pass = asked.get("pass");
  direction = pass in stops ? pass : own;
  made = Math.max(0, Math.min(backward.length, Math.round(place)));
  return true;
}

// Not at every step of a slider that is drawn: browsers allow only so many changes in a while.
function address() {
  clearTimeout(naming);
  naming = setTimeout(() => {
    const hash = `#step=${made}${direction === own ? "" : `&pass=${direction}`}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  }, 200);
}
