// How a session without an answer ended. Three ends that are told apart by what the answer holds: nothing; what is known
// and, after it, what is missing; or the closest passages, after words that say so.

export function endingOf({ outcome, answer }) {
  if (outcome !== "refused") return outcome;
  const sentences = answer?.sentences ?? [];
  if (!sentences.length) return "nothing found";
  return sentences[0].start > 0 ? "closest passages" : "known in part";
}
