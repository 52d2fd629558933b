package dev.medley.trees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.medley.base.Json;
import dev.medley.base.job.Signature.TargetKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of whom others are gone, at moments in which XGBoost alone would wait for ever. */
@Tag("real")
@Timeout(120)
class MemberDoorTest {
    private static final String KEY = "a key";
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final List<String> TWO = List.of("127.0.0.1", "127.0.0.1");
    private static final long LONG_NS = TimeUnit.HOURS.toNanos(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** Comes to the tracker as rank 1, listens as a member does, and does nothing more. */
    private static Socket introduced(CollectiveTracker tracker, ServerSocket listening)
            throws IOException {
        Socket socket = new Socket(HERE, tracker.port());
        String name = CollectiveTracker.taskId(KEY, 1);
        TrackerWire.say(
                new TrackerWire.Call(
                        Json.bytes(Map.of("world_size", -1, "rank", -1, "task_id", name)),
                        Json.bytes(Map.of("cmd", 1, "port", listening.getLocalPort()))),
                socket);
        return socket;
    }

    private Future<Object> joining(CollectiveTracker tracker, long patienceNs, AtomicBoolean over) {
        return threads.submit(
                () -> {
                    try (TreeLearner learner = TreeSamples.boosting(TargetKind.BINARY)) {
                        TreeGroup.Door door = new TreeGroup.Door("127.0.0.1", tracker.port(), KEY);
                        learner.join(door, 0, patienceNs, over::get);
                        return "joined";
                    }
                });
    }

    /** The one before it in the ring is gone between its introduction and its call. */
    @Test
    void whoWaitsForACallThatDoesNotComeShouldEndWithTheGroup() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        try (CollectiveTracker tracker = new CollectiveTracker(KEY, TWO, HERE, () -> false);
                ServerSocket listening = new ServerSocket(0, 5, HERE)) {
            Future<Object> member = joining(tracker, LONG_NS, isOver);
            Socket gone = introduced(tracker, listening);
            try (Socket ring = listening.accept()) { // It has gone on to wait for a call.
                gone.close();
                assertThat(member.isDone()).isFalse();
                isOver.set(true);
                assertThatThrownBy(() -> member.get(60, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(PeerGoneException.class);
                assertThat(ring.isConnected()).isTrue();
            }
        }
    }

    /** Nobody notices that the group has ended, as where a machine falls silent. */
    @Test
    void whoWaitsForACallThatDoesNotComeShouldHaveADeadline() throws Exception {
        try (CollectiveTracker tracker = new CollectiveTracker(KEY, TWO, HERE, () -> false);
                ServerSocket listening = new ServerSocket(0, 5, HERE)) {
            Future<Object> member =
                    joining(tracker, TimeUnit.SECONDS.toNanos(1), new AtomicBoolean());
            try (Socket silent = introduced(tracker, listening);
                    Socket ring = listening.accept()) {
                assertThatThrownBy(() -> member.get(60, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(PeerGoneException.class);
                assertThat(ring.isConnected() && silent.isConnected()).isTrue();
            }
        }
    }

    /** With the tracker gone, and with a peer that was lost in a round. */
    @Test
    void whoLeavesWithoutATrackerShouldLeaveNothingBehind() throws Exception {
        assumeThat(Path.of("/proc/self/task")).exists();
        joinAndLose();
        long threadsBefore = count("/proc/self/task", "");
        long socketsBefore = count("/proc/self/fd", "socket:");
        for (int i = 0; i < 8; i++) {
            joinAndLose();
        }
        // A thread of XGBoost's and a socket would stay of each of 16 members.
        while (count("/proc/self/task", "") > threadsBefore + 8
                || count("/proc/self/fd", "socket:") > socketsBefore + 8) {
            Thread.onSpinWait(); // They end by themselves, or the test by its timeout.
        }
    }

    private void joinAndLose() throws Exception {
        CollectiveTracker tracker = new CollectiveTracker(KEY, TWO, HERE, () -> false);
        Future<Object> one = threads.submit(() -> joinedAndLost(tracker, 0));
        Future<Object> other = threads.submit(() -> joinedAndLost(tracker, 1));
        assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo("alone");
        assertThat(other.get(60, TimeUnit.SECONDS)).isEqualTo("left");
    }

    /** Rank 1 takes the tracker with it, and leaves without a round. */
    private static Object joinedAndLost(CollectiveTracker tracker, int rank) throws IOException {
        try (TreeLearner learner = TreeSamples.boosting(TargetKind.BINARY)) {
            learner.learnFrom(100, TreeSamples.batches(1, 0, 100, TargetKind.BINARY));
            TreeGroup.Door door = new TreeGroup.Door("127.0.0.1", tracker.port(), KEY);
            learner.join(door, rank, LONG_NS, () -> false);
            if (rank == 1) {
                tracker.close();
                return "left";
            }
            assertThatThrownBy(learner::grow).isInstanceOf(PeerGoneException.class);
            return "alone";
        }
    }

    private static long count(String folder, String link) throws IOException {
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            return all.filter(each -> link.isEmpty() || isOf(each, link)).count();
        }
    }

    private static boolean isOf(Path descriptor, String link) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(link);
        } catch (IOException e) {
            return false; // It was closed meanwhile.
        }
    }
}
