import type { AgentEvent } from '../agent/agent-event.ts';
import type { TurnOutcome } from '../agent/loop.ts';
import type { ToolResult } from '../tool/tool.ts';
import { clip, type Output } from './output.ts';

/**
 * Shows a turn as it happens: the answer as it streams, each call and its result in a line, and on a terminal how long the
 * model has been silent.
 */
export interface TurnView {
  show(event: AgentEvent): void;
  /** What is left to say when the turn has ended. */
  end(turn: TurnOutcome): string;
  /** No more is shown: to be called however the turn ended. */
  stop(): void;
}

const SHORT = 140;
/** Silence of a model, in milliseconds, from which on it is told. */
const LONG_SILENCE = 5000;

/** Begins to count how long the model, which is named so, is silent. */
export function createTurnView(output: Output, model: string): TurnView {
  let open = false;
  let asked: number | undefined = performance.now();
  const ticking = setInterval(() => {
    const silent = asked === undefined ? 0 : performance.now() - asked;
    if (silent >= LONG_SILENCE) output.progress(`waiting for ${model}, ${Math.floor(silent / 1000)} s`);
  }, 1000);
  ticking.unref();
  const closeText = () => {
    if (open) output.print();
    open = false;
  };
  return {
    show(event) {
      // After a result, or asked again, it is the model's turn.
      asked = event.type === 'tool-end' || event.type === 'retry' ? performance.now() : undefined;
      switch (event.type) {
        case 'retry':
          closeText();
          return output.note(
            `no answer of ${model} (${clip(event.why, SHORT)}), asking again (${event.attempt} of ${event.of})`,
          );
        case 'text':
          if (output.json) return;
          output.write(event.text);
          open = true;
          return;
        case 'tool-start':
          closeText();
          return output.print(
            output.style('dim', `→ ${event.call.name} ${clip(event.call.arguments, SHORT)}`),
          );
        case 'tool-end':
          return output.print(
            output.style(
              event.result.isError ? 'red' : 'dim',
              `← ${event.result.isError ? 'error: ' : ''}${clip(forPerson(event.result), SHORT)}`,
            ),
          );
        case 'note':
          closeText();
          return output.print(output.style('yellow', `! told the model: ${event.text}`));
        case 'warning':
          closeText();
          return output.print(output.style('yellow', `! ${event.text}`));
        case 'message':
        case 'turn-end':
          return closeText();
      }
    },
    stop: () => clearInterval(ticking),
    end: (turn) => {
      clearInterval(ticking);
      closeText();
      return turn.stop === 'answer'
        ? ''
        : `stopped: ${turn.stop}${turn.problem === undefined ? '' : `. ${turn.problem}`}`;
    },
  };
}

/** A refusal goes on with what the model may tell the person; the person has been told. */
function forPerson({ text, notRun }: ToolResult): string {
  return notRun === 'denied' ? text.replace(/\. Whoever started this[\s\S]*/, '') : text;
}
