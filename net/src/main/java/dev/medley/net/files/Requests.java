package dev.medley.net.files;

import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FileAnswer;
import dev.medley.net.control.ProtocolException;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a coordinator on one connection, a few requests ahead. Answers come in the order of the
 * requests.
 *
 * <p>Thread: one at a time; {@link #close} from any.
 */
final class Requests implements AutoCloseable {
    /** Asked for ahead, so that a link with a long way is kept busy. */
    static final int AHEAD = 8;

    private final ControlConnection connection;
    private final BlockingQueue<Heard> answers;
    private final long timeoutNs;
    private int unanswered;

    /** An answer, or null and why none comes any more. */
    private record Heard(@Nullable FileAnswer answer, String end) {}

    private Requests(ControlConnection connection, BlockingQueue<Heard> answers, long timeoutNs) {
        this.connection = connection;
        this.answers = answers;
        this.timeoutNs = timeoutNs;
    }

    /**
     * Connects.
     *
     * @param timeoutNs patience for an answer
     */
    static Requests open(FilesClient.Dialler dialler, long timeoutNs) throws IOException {
        // One more than was asked for: the end of the connection.
        BlockingQueue<Heard> answers = new ArrayBlockingQueue<>(AHEAD + 1);
        ControlConnection connection =
                dialler.dial(
                        new ControlConnection.Handler() {
                            @Override
                            public void received(ControlConnection from, Message message) {
                                ProtocolException.check(
                                        message instanceof FileAnswer answer
                                                && answers.remainingCapacity() > 1
                                                && answers.offer(new Heard(answer, "")),
                                        "nobody asked for this %s",
                                        message.getClass().getSimpleName());
                            }

                            @Override
                            public void closed(ControlConnection ended, String why) {
                                boolean unused =
                                        answers.offer(new Heard(null, "the connection is " + why));
                            }
                        });
        return new Requests(connection, answers, timeoutNs);
    }

    /** Asks. */
    void send(Message request) {
        unanswered++;
        connection.send(request);
    }

    /** Requests without an answer. */
    int unanswered() {
        return unanswered;
    }

    /** The next answer, which has to be such a one. */
    <T extends FileAnswer> T await(Class<T> expected, String what) throws IOException {
        FileAnswer answer = poll(timeoutNs, what);
        if (answer == null) {
            throw late(timeoutNs, what);
        }
        return as(expected, answer, what);
    }

    /** The answer as what it has to be. */
    static <T extends FileAnswer> T as(Class<T> expected, FileAnswer answer, String what)
            throws IOException {
        if (expected.isInstance(answer)) {
            return expected.cast(answer);
        }
        throw new IOException(
                answer instanceof Message.Refused refused
                        ? what + ": " + refused.why()
                        : "the coordinator answered %s about %s"
                                .formatted(answer.getClass().getSimpleName(), what));
    }

    /** What to say if none comes in that time. */
    static IOException late(long afterNs, String what) {
        return new IOException(
                "the coordinator did not answer within %d s about %s"
                        .formatted(TimeUnit.NANOSECONDS.toSeconds(afterNs), what));
    }

    /** The next answer; null if none comes within that time. */
    @Nullable FileAnswer poll(long waitNs, String what) throws IOException {
        Heard heard;
        try {
            heard = answers.poll(waitNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + what, e);
        }
        if (heard == null) {
            return null;
        }
        FileAnswer answer = heard.answer();
        if (answer == null) {
            answers.add(heard); // For the next call, too.
            throw new IOException(what + ": " + heard.end());
        }
        unanswered--;
        return answer;
    }

    @Override
    public void close() {
        connection.close();
    }
}
