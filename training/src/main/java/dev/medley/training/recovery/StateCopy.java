package dev.medley.training.recovery;

import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.net.membership.View;
import dev.medley.training.loop.RunState;
import dev.medley.training.loop.WorkerState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings the members that are behind to the committed state: parameters, statistics and optimizer
 * state as they lie in memory, and the small rest as JSON in a block of fixed length.
 */
public final class StateCopy {
    private static final int NOTE_BYTES = 1 << 16;

    /** Places of samples take some KiB for each plan of an epoch. */
    private static final int PLACED_NOTE_BYTES = 1 << 20;

    private StateCopy() {}

    /**
     * Copies if anybody is behind; the fault that ended it, or null when all members hold the
     * committed state.
     */
    public static @Nullable Fault catchUp(View view, Collective collective, WorkerState state) {
        if (view.behind().isEmpty()) {
            return null;
        }
        int rank = collective.rank();
        boolean isBehind = view.behind().contains(rank);
        boolean isPlaced = !view.plan().owners().isEmpty();
        Span note = Span.allocate(isPlaced ? PLACED_NOTE_BYTES : NOTE_BYTES);
        if (rank == view.source()) {
            write(note, state.state());
        }
        if (isBehind) {
            state.seat().forget();
        }
        List<Span> spans = new ArrayList<>(state.spans().stream().map(NamedSpan::data).toList());
        spans.add(note);
        Fault fault = collective.copy(view.source(), Set.copyOf(view.behind()), spans);
        if (fault != null || !isBehind) {
            return fault;
        }
        RunState copied = read(note);
        int epoch = view.group().epoch();
        if (!copied.progress().equals(view.committed())) {
            throw new IllegalStateException(
                    "copied " + copied.progress() + ", committed is " + view.committed());
        }
        if (!state.seat().apply(epoch, view.committed(), () -> state.move(copied))) {
            return new Fault(
                    Fault.Kind.SEALED,
                    "coordinator",
                    "epoch " + epoch + " was sealed during the copy");
        }
        return null;
    }

    private static void write(Span note, RunState state) {
        byte[] json = Json.bytes(state);
        if (json.length + Integer.BYTES > note.bytes()) {
            throw new IllegalStateException("a run state of " + json.length + " bytes");
        }
        note.buffer().putInt(json.length).put(json);
    }

    private static RunState read(Span note) {
        ByteBuffer buffer = note.buffer();
        byte[] json = new byte[buffer.getInt()];
        buffer.get(json);
        return Json.parse(json, RunState.class);
    }
}
