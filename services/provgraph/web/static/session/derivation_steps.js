// The steps of a derivation with what they used: of the trace's sentences, facts and passages those themselves, of all
// else the words that the trace has for it.

const SENTENCE = /:sentence:[^:]+:(\d+)$/;

export function derivationSteps({ shortAnswer, sentences, edgeById, chunkById }) {
  return (shortAnswer?.steps ?? []).map((step, index) => {
    const used = step.used.map((id, at) => ({ id, words: step.inputs[at] ?? "", sentence: sentences[SENTENCE.exec(id)?.[1]] }));
    const known = ({ id, sentence }) => sentence || edgeById.has(id);
    return {
      ...step,
      index,
      sentences: used.map((each) => each.sentence).filter(Boolean),
      edges: used.map((each) => edgeById.get(each.id)).filter(Boolean),
      chunks: used.map((each) => chunkById.get(each.id)).filter(Boolean),
      otherInputs: [...used.filter((each) => !known(each)).map((each) => each.words), ...step.inputs.slice(step.used.length)],
    };
  });
}
