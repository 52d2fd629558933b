package dev.medley.control.watch;

import static dev.medley.net.control.ProtocolException.check;

import dev.medley.base.WorkerId;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.door.JoinSecret;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.record.entry.RunEvent;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Refuses a worker's message that cannot be true, before anything follows from it. Such are
 * messages that others send, messages out of order, and ranks that its group does not have. Owned
 * by the coordinator's agent.
 */
public final class MessageCheck {
    private final StepMerger merger;
    private final Set<WorkerId> ready = new HashSet<>();

    /** Hands what counts to {@code merger}. */
    public MessageCheck(StepMerger merger) {
        this.merger = merger;
    }

    /** Agents say what agents do, and show the cluster's secret; workers the run's. */
    public static void requireKind(JoinSecret.Kind shown, Message message) {
        boolean isAgents = message instanceof Message.FromAgent;
        check(
                shown == (isAgents ? JoinSecret.Kind.CLUSTER : JoinSecret.Kind.RUN),
                "%s from a caller with the secret of a %s",
                message.getClass().getSimpleName(),
                shown);
    }

    /** What plans learn of a step. */
    public static Measured measured(WorkerStep step) {
        return new Measured(
                step.share(),
                step.computeNs(),
                step.exchangeNs(),
                step.waitingNs(),
                step.bytesSent());
    }

    /**
     * Complains about what cannot be.
     *
     * @throws dev.medley.net.control.ProtocolException with what it is
     */
    public void require(WorkerId worker, Message message) {
        String what = message.getClass().getSimpleName();
        check(
                message instanceof Message.FromWorker,
                "%s says %s, which workers do not",
                worker,
                what);
        if (message instanceof Message.Ready said) {
            check(ready.add(worker), "%s is ready twice", worker);
            WorkerId member = said.member().worker();
            check(member.equals(worker), "%s says to be %s", worker, member);
        } else if (message instanceof Message.Steps said) {
            said.steps().forEach(step -> requireNear(worker, step.step()));
            int size = merger.groupSize(said.epoch());
            check(
                    size == 0 || merger.isMember(said.epoch(), worker),
                    "%s tells of steps of group %d, which it is not in",
                    worker,
                    said.epoch());
            Stream<Integer> ranks =
                    Stream.concat(
                            said.links().stream().map(link -> link.rank()),
                            said.relayed().stream()
                                    .flatMap(r -> Stream.of(r.fromRank(), r.toRank())));
            check(
                    ranks.allMatch(rank -> rank >= 0 && rank < size),
                    "%s tells of ranks that group %d has not got",
                    worker,
                    said.epoch());
        } else {
            boolean isEarly =
                    message instanceof Message.Alive
                            || message instanceof Message.Trying
                            || message instanceof Message.Noted
                            || message instanceof Message.Failed;
            check(isEarly || ready.contains(worker), "%s says %s before it is ready", worker, what);
            if (message instanceof Message.Hashed hashed) {
                requireNear(worker, hashed.step());
            } else if (message instanceof Message.Noted noted) {
                requireMembers(worker, noted);
            }
            boolean isMembers =
                    message instanceof Message.Hashed || message instanceof Message.Finished;
            check(
                    !isMembers || merger.wasMember(worker),
                    "%s says %s and was in no group",
                    worker,
                    what);
        }
    }

    /** What is noted is a member's; who still loads may be in trouble, and says that. */
    private void requireMembers(WorkerId worker, Message.Noted noted) {
        String warning = RunEvent.Kind.WARNING.name();
        boolean isTrouble =
                noted.kind().equals("event")
                        && noted.value().path("kind").asString("").equals(warning);
        check(
                isTrouble || merger.wasMember(worker),
                "%s tells of %s and was in no group",
                worker,
                noted.kind());
        boolean isCheckpoint =
                noted.kind().equals("event")
                        && noted.value()
                                .path("kind")
                                .asString("")
                                .equals(RunEvent.Kind.CHECKPOINT.name());
        if (noted.kind().equals("evaluation") || isCheckpoint) { // Nothing earlier follows it.
            requireNear(worker, noted.value().path("step").asLong(0));
        }
    }

    private void requireNear(WorkerId worker, long step) {
        check(
                step <= merger.horizon(),
                "%s tells of step %d, and all have told of %d",
                worker,
                step,
                merger.lastStep());
    }
}
