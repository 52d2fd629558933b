package dev.medley.trees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.model.TreeSpec;
import dev.medley.tensor.model.StepLoss;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members that grow together, one thread each. */
@Tag("real")
class TreeGroupTest {
    private static final String KEY = "a key";
    private static final int ROWS = 3000;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);

    /** What a member does with its trees once it has joined. */
    private interface Part {
        Object of(TreeLearner learner, int rank);
    }

    @Test
    void allShouldComeToTheSameTrees() throws Exception {
        List<Object> hashes =
                together(
                        3,
                        (learner, rank) -> {
                            for (int round = 0; round < 10; round++) {
                                double unused = learner.grow().lossSum();
                                // Only one looks how good they are: others do not wait for it.
                                if (rank == 1) {
                                    unused =
                                            learner.evaluate(
                                                            TreeSamples.batch(
                                                                    5, 0, 50, TargetKind.BINARY))
                                                    .lossSum();
                                }
                            }
                            return learner.parameterHash();
                        });
        assertThat(hashes).hasSize(3).containsOnly(hashes.get(0));
    }

    /** Whoever is left goes on with the rounds that all had. */
    @Test
    void whoLosesAPeerShouldKeepTheRoundsBefore() throws Exception {
        List<Object> kept =
                together(
                        3,
                        (learner, rank) -> {
                            double unused = learner.grow().lossSum();
                            unused = learner.grow().lossSum();
                            if (rank == 1) {
                                learner.leave();
                                return learner.rounds();
                            }
                            try {
                                unused = learner.grow().lossSum();
                                return "nobody was missed";
                            } catch (PeerGoneException e) {
                                learner.leave();
                                int rounds = learner.rounds();
                                unused = learner.grow().lossSum(); // Alone.
                                return rounds;
                            }
                        });
        assertThat(kept).containsOnly(2);
    }

    /** What a round that broke off left behind in a member has no part in those to come. */
    @RepeatedTest(3)
    void whoLostAPeerShouldGrowAsOneThatComesAnew() throws Exception {
        List<Object> before =
                together(
                        3,
                        (learner, rank) -> {
                            StepLoss unused = learner.grow();
                            unused = learner.grow();
                            return learner.trees();
                        });
        byte[] two = (byte[]) before.get(0);
        try (CollectiveTracker three = tracker(3);
                CollectiveTracker next = tracker(2);
                CollectiveTracker anew = tracker(2)) {
            List<Object> survived =
                    grown(three, 3, (learner, rank) -> regrown(learner, rank, two, next.port()));
            List<Object> fresh =
                    grown(
                            anew,
                            2,
                            (learner, rank) -> {
                                learner.load(two);
                                return grownTwice(learner);
                            });
            assertThat(survived.get(0)).isEqualTo(survived.get(2)).isEqualTo(fresh.get(0));
        }
    }

    /** Which columns a tree sees is drawn, and the draws of one member were others. */
    @Test
    void whoHasGrownBeforeShouldDrawAsOneThatComesAnew() throws Exception {
        TreeSpec drawn = new TreeSpec(3, 0, 1, 0, 0, 1, 0.7, 0.5, 64, Map.of());
        ModelSpec.Boosting model = new ModelSpec.Boosting(50, 0.3, drawn);
        byte[] three;
        try (TreeLearner alone = TreeSamples.learner(model, TargetKind.BINARY)) {
            learnHalf(alone, 0);
            StepLoss unused = alone.grow();
            unused = alone.grow();
            unused = alone.grow();
            three = alone.trees();
        }
        List<Object> hashes = new ArrayList<>();
        try (CollectiveTracker tracker = tracker(2)) {
            ExecutorService threads = Executors.newFixedThreadPool(2);
            List<Future<Object>> members = new ArrayList<>();
            for (int r = 0; r < 2; r++) {
                int rank = r;
                members.add(
                        threads.submit(
                                () -> {
                                    try (TreeLearner learner =
                                            TreeSamples.learner(model, TargetKind.BINARY)) {
                                        learnHalf(learner, 0);
                                        for (int i = 0; rank == 0 && i < 3; i++) {
                                            StepLoss unused = learner.grow();
                                        }
                                        if (rank == 1) {
                                            learner.load(three);
                                        }
                                        learnHalf(learner, rank);
                                        learner.join(
                                                door(tracker.port()),
                                                rank,
                                                PATIENCE_NS,
                                                () -> false);
                                        return grownTwice(learner);
                                    }
                                }));
            }
            for (Future<Object> member : members) {
                hashes.add(member.get(1, TimeUnit.MINUTES));
            }
            threads.shutdown();
        }
        assertThat(hashes.get(0)).isEqualTo(hashes.get(1));
    }

    /** A round that does not count is cut off and grown again, in the same group. */
    @Test
    void allShouldGrowARoundAgainThatDidNotCount() throws Exception {
        List<Object> cut =
                together(
                        2,
                        (learner, rank) -> {
                            StepLoss unused = learner.grow();
                            unused = learner.grow();
                            learner.cutTo(1);
                            return grownTwice(learner);
                        });
        List<Object> whole =
                together(
                        2,
                        (learner, rank) -> {
                            StepLoss unused = learner.grow();
                            return grownTwice(learner);
                        });
        assertThat(cut).containsOnly(whole.get(0));
    }

    /** Rank 1 goes in the midst of the third round; the others form a group of their own. */
    private static Object regrown(TreeLearner learner, int rank, byte[] two, int port) {
        learner.load(two);
        if (rank == 1) {
            learner.leave();
            return "gone";
        }
        assertThatThrownBy(learner::grow).isInstanceOf(PeerGoneException.class);
        learner.leave();
        int own = rank / 2;
        learnHalf(learner, own);
        learner.join(door(port), own, PATIENCE_NS, () -> false);
        return grownTwice(learner);
    }

    private static void learnHalf(TreeLearner learner, int half) {
        int from = ROWS / 2 * half;
        learner.learnFrom(
                ROWS / 2, TreeSamples.batches(1, from, from + ROWS / 2, TargetKind.BINARY));
    }

    private static Object grownTwice(TreeLearner learner) {
        double lossSum = learner.grow().lossSum() + learner.grow().lossSum();
        assertThat(lossSum).isFinite();
        return learner.parameterHash();
    }

    /**
     * One of two has gone into another group: the other does not wait until it is out of patience.
     */
    @Test
    void whoWaitsForAGroupThatHasEndedShouldBeSentAway() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        try (CollectiveTracker tracker =
                        new CollectiveTracker(
                                KEY,
                                List.of("127.0.0.1", "127.0.0.1"),
                                InetAddress.getLoopbackAddress(),
                                isOver::get);
                TreeLearner learner = TreeSamples.boosting(TargetKind.BINARY)) {
            Future<Object> waiting =
                    Executors.newSingleThreadExecutor()
                            .submit(
                                    () -> {
                                        learner.join(
                                                door(tracker.port()), 0, PATIENCE_NS, () -> false);
                                        return "joined";
                                    });
            assertThatThrownBy(() -> waiting.get(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
            isOver.set(true);
            assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(PeerGoneException.class);
        }
    }

    /** A stranger without the key is turned away, and a silent one keeps nobody waiting. */
    @Test
    void strangersShouldNotKeepTheGroupFromForming() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (CollectiveTracker tracker =
                        new CollectiveTracker(
                                KEY, List.of("127.0.0.1", "127.0.0.1"), here, () -> false);
                Socket silent = new Socket(here, tracker.port());
                Socket loud = new Socket(here, tracker.port())) {
            loud.getOutputStream().write(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
            assertThat(grown(tracker, 2, (learner, rank) -> learner.grow().weight()))
                    .containsOnly(ROWS / 2.0);
            assertThat(loud.getInputStream().read()).isEqualTo(-1);
            assertThat(silent.isConnected()).isTrue();
        }
    }

    private static TreeGroup.Door door(int port) {
        return new TreeGroup.Door("127.0.0.1", port, KEY);
    }

    private static List<Object> together(int size, Part part) throws Exception {
        try (CollectiveTracker tracker = tracker(size)) {
            return grown(tracker, size, part);
        }
    }

    private static CollectiveTracker tracker(int size) throws IOException {
        return new CollectiveTracker(
                KEY,
                Collections.nCopies(size, "127.0.0.1"),
                InetAddress.getLoopbackAddress(),
                () -> false);
    }

    private static List<Object> grown(CollectiveTracker tracker, int size, Part part)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        try {
            List<Callable<Object>> members = new ArrayList<>();
            for (int r = 0; r < size; r++) {
                int rank = r;
                members.add(() -> member(tracker.port(), rank, size, part));
            }
            List<Object> results = new ArrayList<>();
            for (Future<Object> each : threads.invokeAll(members, 2, TimeUnit.MINUTES)) {
                results.add(each.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Object member(int port, int rank, int size, Part part) {
        try (TreeLearner learner = TreeSamples.boosting(TargetKind.BINARY)) {
            int from = ROWS * rank / size;
            int to = ROWS * (rank + 1) / size;
            learner.learnFrom(to - from, TreeSamples.batches(1, from, to, TargetKind.BINARY));
            learner.join(door(port), rank, PATIENCE_NS, () -> false);
            return part.of(learner, rank);
        }
    }
}
