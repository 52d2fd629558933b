package dev.medley.exchange.peer;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.route.RelayChoice;
import dev.medley.net.link.FaultSignal;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Names the member at fault as the user knows it, and the step or epoch in which it happened. */
final class Blame {
    private final Group group;
    private final int rank;
    private final RelayChoice relays;
    private int epoch;
    private boolean isFormed;
    private @Nullable StepTag tag;

    /** As {@code rank} sees the others. */
    Blame(Group group, int rank) {
        this.group = group;
        this.epoch = group.epoch();
        this.rank = rank;
        this.relays = RelayChoice.of(group);
    }

    /** The collective stands; no step has begun. */
    void formed() {
        isFormed = true;
    }

    /** From now on it happens in this epoch of the same members. */
    void continueAs(int next) {
        epoch = next;
        tag = null;
    }

    /** From now on it happens in this step. */
    void during(StepTag step) {
        tag = step;
    }

    String name(int rank) {
        return group.members().get(rank).worker().toString();
    }

    int size() {
        return group.size();
    }

    /** The rank through which a peer is reached; empty where that is direct. */
    OptionalInt relay(int peer) {
        return relays.between(rank, peer);
    }

    FaultSignal fault(Fault.Kind kind, int peer, String what) {
        OptionalInt relay = relay(peer);
        String way = relay.isPresent() ? " (through " + name(relay.getAsInt()) + ")" : "";
        return new FaultSignal(new Fault(kind, name(peer), what + way + place()));
    }

    private String place() {
        if (tag == null) {
            return (isFormed ? " before the first step of epoch " : " while forming epoch ")
                    + epoch;
        }
        return " in step %d, epoch %d; the step is discarded".formatted(tag.step(), epoch);
    }
}
