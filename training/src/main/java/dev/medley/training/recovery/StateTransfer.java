package dev.medley.training.recovery;

import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.exchange.Collective;
import dev.medley.net.membership.View;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings the members that are behind to the committed state. Parameters, statistics and optimizer
 * state are copied as they lie in memory, and the rest as JSON, after its length; parameters that
 * are dealt out come later ({@link WorkerState#deal}).
 */
public final class StateTransfer {
    private StateTransfer() {}

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
        if (isBehind && !state.seat().forget(view.group().epoch())) {
            return sealed(view);
        }
        byte[] own = rank == view.source() ? Json.bytes(state.state()) : new byte[0];
        Set<Integer> behind = Set.copyOf(view.behind());
        Span lengths = lengths(own.length, state);
        Fault fault = collective.copy(view.source(), behind, List.of(lengths));
        if (fault != null) {
            return fault;
        }
        LongBuffer said = lengths.buffer().asLongBuffer();
        Span note = Span.allocate(said.get());
        if (isBehind) {
            state.copied().forEach(span -> state.resize(span.name(), said.get()));
        }
        note.buffer().put(own);
        List<Span> spans = new ArrayList<>(state.copied().stream().map(NamedSpan::data).toList());
        spans.add(note);
        fault = collective.copy(view.source(), behind, spans);
        if (fault != null || !isBehind) {
            return fault;
        }
        TrainingState copied = read(note);
        int epoch = view.group().epoch();
        if (!copied.progress().equals(view.committed())) {
            throw new IllegalStateException(
                    "copied " + copied.progress() + ", committed is " + view.committed());
        }
        return state.seat().apply(epoch, view.committed(), () -> state.load(copied))
                ? null
                : sealed(view);
    }

    /** Of the JSON, and of each array. */
    private static Span lengths(int ofJson, WorkerState state) {
        List<NamedSpan> spans = state.copied();
        Span lengths = Span.allocate((1L + spans.size()) * Long.BYTES);
        LongBuffer into = lengths.buffer().asLongBuffer();
        into.put(ofJson);
        spans.forEach(span -> into.put(span.data().bytes()));
        return lengths;
    }

    private static Fault sealed(View view) {
        return new Fault(
                Fault.Kind.SEALED,
                "coordinator",
                "epoch " + view.group().epoch() + " was sealed during the copy");
    }

    private static TrainingState read(Span note) {
        byte[] json = new byte[(int) note.bytes()];
        note.buffer().get(json);
        return Json.parse(json, TrainingState.class);
    }
}
