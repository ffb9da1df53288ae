// Answers entries again after leaves have moved.

import { session } from "./calculator.js";
import { change, entries, showChanged } from "./entries.js";
import { endsOfAxis } from "./places.js";
import { takeStates } from "./state.js";

/** @typedef {import("./entries.js").Entry} Entry */

/**
 * Shows the entries that have changed. After leaves have moved, first answers the faded ones again: whatever has moved the
 * leaves, a slider, a step, a search or a loop.
 * @param {import("./state.js").Answer} answer
 * @param {string[]} moved the leaves with sliders that have moved. Others may have moved, too
 */
export const showMoved = async ({ states }, moved) => {
  const hasMoved = moved.length || states.some(({ state }) => state === "faded");
  const faded = entries.filter(({ id, state }) => id !== null && state === "faded");
  if (hasMoved && faded.length) await answerAgain(moved, faded);
  showChanged();
};

/** @param {string[]} names @param {Entry[]} faded */
const answerAgain = async (names, faded) => {
  const axes = faded.map(({ shown }) => endsOfAxis(shown.answer));
  /** @type {{ answers: (string | null)[], states: import("./state.js").ToldState[] }} */
  const { answers, states } = await session.ask("again", { names, entries: faded.map(({ id }) => id), axes })
    // If the session fails, the answers stay faded.
    .catch(() => ({ answers: [], states: [] }));
  answers.forEach((html, at) => html && change(faded[at], { html }));
  takeStates(states);
};
