/** The team's notes about an order, newest first. */
import type { Order, OrderNote } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { can, me, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { type Member, useStaff } from '../staff.ts';
import { mentionsIn, NoteText } from './note-text.tsx';

type Props = { order: Order; done: (order: Order) => void };

export function Notes({ order, done }: Props) {
  const staff = useStaff();
  const { notes = [] } = order;
  if (notes.length === 0 && !can('ORDER_WRITE')) return null;
  return (
    <Section title={t('orders.notes')}>
      {can('ORDER_WRITE') && <NewNote order={order} staff={staff} done={done} />}
      <ul class="notes">
        {[...notes].reverse().map((note) => (
          <Note key={note.id} order={order} note={note} staff={staff} done={done} />
        ))}
      </ul>
    </Section>
  );
}

function NewNote({ order, staff, done }: Props & { staff: readonly Member[] }) {
  const [text, setText] = useState('');
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.createNote(order.id, { text: text.trim(), mentions: mentionsIn(text, staff) });
    setText('');
    done(await souk.orders.get(order.id));
    toast(t('orders.noteAdded'));
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void run();
      }}
    >
      <Problem error={error} />
      <NoteText label={t('orders.newNote')} value={text} onInput={setText} staff={staff} disabled={isBusy} />
      <div class="actions end">
        <button type="submit" class="quiet" disabled={isBusy || text.trim() === ''}>
          {t('orders.addNote')}
        </button>
      </div>
    </form>
  );
}

type NoteProps = Props & { note: OrderNote; staff: readonly Member[] };

function Note({ order, note, staff, done }: NoteProps) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const author = staff.find(({ id }) => id === note.userId)?.name ?? t('orders.formerMember');
  const isOwn = note.userId === me.value?.id;
  const close = () => setOpen(null);
  const remove = useAction(async () => {
    await souk.orders.deleteNote(order.id, note.id);
    done(await souk.orders.get(order.id));
  });
  return (
    <li>
      <small class="quiet">
        <strong>{note.userId === 'import' ? t('orders.importedNote') : isOwn ? t('orders.you') : author}</strong>
        {' · '}
        <DateTime at={note.createdAt} />
        {note.updatedAt && ` · ${t('orders.noteEdited')}`}
      </small>
      {open === 'edit' ? (
        <EditNote order={order} note={note} staff={staff} done={done} close={close} />
      ) : (
        <p class="note-body">{note.text}</p>
      )}
      <Problem error={remove.error} />
      {open !== 'edit' && can('ORDER_WRITE') && (isOwn || can('ADMIN')) && (
        <div class="actions shipment-actions">
          <button type="button" class="link" onClick={() => setOpen('edit')}>
            {t('orders.editNote')}
          </button>
          <button type="button" class="link" onClick={() => setOpen('delete')}>
            {t('orders.deleteNote')}
          </button>
        </div>
      )}
      {open === 'delete' && (
        <Confirm
          title={t('orders.deleteNoteTitle')}
          text={t('orders.deleteNoteText')}
          action={t('orders.deleteNote')}
          run={remove.run}
          close={close}
        />
      )}
    </li>
  );
}

function EditNote({ order, note, staff, done, close }: NoteProps & { close: () => void }) {
  const [text, setText] = useState(note.text);
  const { run, isBusy, error } = useAction(async () => {
    await souk.orders.updateNote(order.id, note.id, { text: text.trim(), mentions: mentionsIn(text, staff) });
    done(await souk.orders.get(order.id));
    close();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') void run();
      }}
    >
      <Problem error={error} />
      <NoteText label={t('orders.editNote')} value={text} onInput={setText} staff={staff} disabled={isBusy} />
      <div class="actions end">
        <button type="button" class="quiet" onClick={close}>
          {t('parts.cancel')}
        </button>
        <button type="submit" disabled={isBusy}>
          {t('parts.save')}
        </button>
      </div>
    </form>
  );
}
