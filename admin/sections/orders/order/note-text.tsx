/** A text field for mentioning members: `@` suggests names, chosen by keyboard or mouse. */
import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../../../text/index.ts';
import type { Member } from '../staff.ts';

const MAX_HITS = 6;

type Props = {
  label: string;
  value: string;
  staff: readonly Member[];
  disabled?: boolean;
  onInput: (text: string) => void;
};

/** The members whose `@name` is in the text. Longer names are matched first: “@Ada Lovelace” does not mention “Ada”. */
export function mentionsIn(text: string, staff: readonly Member[]): string[] {
  const names = [...new Set(staff.map(({ name }) => name))].filter(Boolean).sort((a, b) => b.length - a.length);
  let rest = text;
  const found = new Set<string>();
  for (const name of names) {
    if (!rest.includes(`@${name}`)) continue;
    found.add(name);
    rest = rest.replaceAll(`@${name}`, '');
  }
  return staff.filter(({ name }) => found.has(name)).map(({ id }) => id);
}

/** The text typed after the last `@` before the caret; null if no mention is being typed. */
function typedMention(text: string, caret: number): string | null {
  return /(?:^|\s)@([^\s@][^@\n]{0,40}|)$/.exec(text.slice(0, caret))?.[1]?.toLowerCase() ?? null;
}

export function NoteText({ label, value, staff, disabled = false, onInput }: Props) {
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const hits = typed === null ? [] : staff.filter(({ name }) => name.toLowerCase().includes(typed)).slice(0, MAX_HITS);
  const isOpen = hits.length > 0;

  const read = (area: HTMLTextAreaElement) => {
    setTyped(typedMention(area.value, area.selectionStart));
    setAt(0);
  };
  const choose = ({ name }: Member) => {
    const area = input.current!;
    const caret = area.selectionStart;
    const before = area.value.slice(0, caret);
    const start = before.length - (typed ?? '').length - 1;
    const next = `${before.slice(0, start)}@${name} ${area.value.slice(caret)}`;
    onInput(next);
    setTyped(null);
    requestAnimationFrame(() => {
      area.focus();
      area.setSelectionRange(start + name.length + 2, start + name.length + 2);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: hits.length - 1 };
    const move = moves[event.key];
    if (move !== undefined) setAt((at + move) % hits.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(hits[at]!);
    else if (event.key === 'Escape') setTyped(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="field pick">
      <label for={id}>{label}</label>
      <textarea
        ref={input}
        id={id}
        rows={3}
        maxLength={5000}
        disabled={disabled}
        value={value}
        aria-describedby={`${id}-hint`}
        aria-autocomplete="list"
        aria-controls={isOpen ? `${id}-hits` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        onInput={({ currentTarget }) => {
          onInput(currentTarget.value);
          read(currentTarget);
        }}
        onClick={({ currentTarget }) => read(currentTarget)}
        onBlur={() => setTyped(null)}
        onKeyDown={onKeyDown}
      />
      {isOpen && (
        <div id={`${id}-hits`} class="pick-hits" role="listbox" aria-label={t('orders.mention')}>
          {hits.map((member, i) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text, which names the active option.
            <div
              key={member.id}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              onPointerDown={(event) => {
                event.preventDefault();
                choose(member);
              }}
            >
              {member.name}{' '}
              {member.email && member.email !== member.name && <small class="quiet">{member.email}</small>}
            </div>
          ))}
        </div>
      )}
      <p id={`${id}-hint`} class="hint">
        {t('orders.noteHint')}
      </p>
      <span class="visually-hidden" role="status">
        {isOpen ? t('orders.mentionCount', { count: hits.length }) : ''}
      </span>
    </div>
  );
}
