package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.exchange.Collective;
import dev.medley.tensor.model.Replica;
import dev.medley.training.RanksOnThreads;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Ranks on threads, with a real exchange between them, whose rounds end with a quorum. */
public final class QuorumRanks {
    private static final int MEMORY_BYTES = 1 << 16;

    private QuorumRanks() {}

    public interface Role<T> {
        T play(QuorumRank worker, int rank);
    }

    /** How a rank becomes a member of the group. */
    public interface Joining {
        QuorumRank join(Group group, Collective collective);
    }

    public static <T> List<T> play(int size, Function<Replica, Strategy> strategy, Role<T> role)
            throws Exception {
        return play(size, (group, collective) -> new QuorumRank(group, collective, strategy), role);
    }

    /** The same with members of another kind. */
    public static <T> List<T> play(int size, Joining joining, Role<T> role) throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(size)) {
            Group group = ranks.group(1);
            Phaser done = new Phaser(size);
            return ranks.playWithPosts(
                    1,
                    MEMORY_BYTES,
                    collective -> {
                        try (QuorumRank worker = joining.join(group, collective)) {
                            T played = role.play(worker, collective.rank());
                            leaveTogether(done);
                            return played;
                        } finally {
                            done.forceTermination(); // Nobody waits for one that failed.
                        }
                    });
        }
    }

    /** Who is late would take one that closes its links before for lost. */
    private static void leaveTogether(Phaser done) {
        try {
            done.awaitAdvanceInterruptibly(done.arrive(), 20, TimeUnit.SECONDS);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("not all ranks are done", e);
        }
    }
}
