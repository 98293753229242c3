import type { AgentEvent } from '../agent/agent-event.ts';
import type { TurnOutcome } from '../agent/loop.ts';
import type { ToolResult } from '../tool/tool.ts';
import { clip, type Output } from './output.ts';

/** Shows a turn as it happens: the answer as it streams, each call and its result in a line. */
export interface TurnView {
  show(event: AgentEvent): void;
  /** What is left to say when the turn has ended. */
  end(turn: TurnOutcome): string;
}

const SHORT = 140;

export function createTurnView(output: Output): TurnView {
  let open = false;
  const closeText = () => {
    if (open) output.print();
    open = false;
  };
  return {
    show(event) {
      switch (event.type) {
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
    end: (turn) => {
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
