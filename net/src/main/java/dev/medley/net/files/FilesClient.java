package dev.medley.net.files;

import dev.medley.base.Sha256;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FileAnswer;
import dev.medley.net.control.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which files are fetched from a coordinator and brought to it. Every wait has a
 * deadline; whatever goes wrong is an {@link IOException} that says what. Answers come in the order
 * of the requests: those that a call which failed did not wait for are read, and left, by the next
 * one.
 *
 * <p>Thread: any; calls exclude each other.
 */
public final class FilesClient implements AutoCloseable {
    private static final int PIECE_BYTES = 1 << 20;

    /** Asked for ahead, so that a link with a long way is kept busy. */
    private static final int AHEAD = 8;

    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final ControlConnection connection;
    private final BlockingQueue<Heard> answers;

    /** Requests without an answer. Guarded by this. */
    private int unanswered;

    private FilesClient(ControlConnection connection, BlockingQueue<Heard> answers) {
        this.connection = connection;
        this.answers = answers;
    }

    /** An answer, or null and why none comes any more. */
    private record Heard(@Nullable FileAnswer answer, String end) {}

    /** How to connect: address, patience, credentials and pass are the caller's affair. */
    @FunctionalInterface
    public interface Dialler {
        /** Opens a connection whose messages go to {@code handler}. */
        ControlConnection dial(ControlConnection.Handler handler) throws IOException;
    }

    /** Connects. */
    public static FilesClient open(Dialler dialler) throws IOException {
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
        return new FilesClient(connection, answers);
    }

    /**
     * Fetches a file of {@code bytes} bytes into {@code into}, which is there and right when this
     * returns.
     *
     * @param progress told the bytes that have come
     */
    public synchronized void fetch(String file, long bytes, Path into, LongConsumer progress)
            throws IOException {
        passOver();
        MessageDigest digest = Sha256.digest();
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(into), digest)) {
            stretch(file, 0, bytes, out, progress);
        }
        send(new Message.AskDigest(file));
        String theirs = await(Message.Digest.class, file).sha256();
        String ours = HexFormat.of().formatHex(digest.digest());
        if (!ours.equals(theirs)) {
            throw new IOException(
                    "%s came with SHA-256 %s, it has %s".formatted(file, ours, theirs));
        }
    }

    /** A stretch of a file. */
    public synchronized byte[] read(String file, long offset, int bytes) throws IOException {
        passOver();
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes);
        stretch(file, offset, bytes, out, come -> {});
        return out.toByteArray();
    }

    private void stretch(
            String file, long offset, long bytes, OutputStream out, LongConsumer progress)
            throws IOException {
        long asked = 0;
        for (long come = 0; come < bytes; ) {
            for (; asked < bytes && asked - come < (long) AHEAD * PIECE_BYTES; ) {
                int length = (int) Math.min(PIECE_BYTES, bytes - asked);
                send(new Message.Fetch(file, offset + asked, length));
                asked += length;
            }
            byte[] piece = await(Message.Piece.class, file).bytes();
            if (piece.length == 0) {
                throw new IOException(
                        "%s ends after %d of %d bytes"
                                .formatted(file, offset + come, offset + bytes));
            }
            if (piece.length > bytes - come) {
                throw new IOException("more of %s came than was asked for".formatted(file));
            }
            out.write(piece);
            come += piece.length;
            progress.accept(come);
        }
    }

    /**
     * Brings a folder: it is kept, whole, when this returns. It may be deleted as soon as the first
     * of its bytes has gone.
     *
     * @param name of the folder where it is kept
     * @param folder whose files, not those of folders in it, are brought
     * @param of which state of the run; one of a later state that is kept already stays instead
     */
    public synchronized void bring(String name, Path folder, KeptState of) throws IOException {
        passOver();
        Map<String, String> digests = new TreeMap<>();
        Map<String, Open> files = new TreeMap<>();
        try {
            open(folder, files);
            for (Map.Entry<String, Open> file : files.entrySet()) {
                digests.put(file.getKey(), bringFile(name, file.getKey(), file.getValue()));
            }
        } finally {
            for (Open file : files.values()) {
                file.stream().close();
            }
        }
        send(new Message.Keep(name, of, digests));
        Message.Received unused = await(Message.Received.class, name);
    }

    /** A file that may be deleted meanwhile. */
    private record Open(InputStream stream, long bytes) {}

    private static void open(Path folder, Map<String, Open> files) throws IOException {
        List<Path> paths;
        try (var entries = Files.list(folder)) {
            paths = entries.filter(Files::isRegularFile).toList();
        }
        for (Path path : paths) {
            InputStream stream = Files.newInputStream(path);
            files.put(path.getFileName().toString(), new Open(stream, Files.size(path)));
        }
    }

    /** Which state of the run the folder of that name is of that is kept; null if none is. */
    public synchronized @Nullable KeptState kept(String name) throws IOException {
        passOver();
        send(new Message.AskKept(name));
        return await(FileAnswer.class, name) instanceof Message.Kept kept ? kept.of() : null;
    }

    private String bringFile(String folder, String name, Open file) throws IOException {
        MessageDigest digest = Sha256.digest();
        long offset = 0;
        while (true) {
            byte[] piece = file.stream().readNBytes(PIECE_BYTES);
            if (piece.length == 0 && offset > 0) {
                break;
            }
            digest.update(piece);
            send(new Message.Bring(folder, name, file.bytes(), offset, piece));
            offset += piece.length;
            if (unanswered == AHEAD) {
                Message.Received unused = await(Message.Received.class, name);
            }
            if (piece.length < PIECE_BYTES) {
                break;
            }
        }
        while (unanswered > 0) {
            Message.Received unused = await(Message.Received.class, name);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public void close() {
        connection.close();
    }

    private void send(Message request) {
        unanswered++;
        connection.send(request);
    }

    /** What was asked for by a call that failed, which would be taken for what is asked next. */
    private void passOver() throws IOException {
        while (unanswered > 0) {
            FileAnswer unused = next("what was asked before");
        }
    }

    private <T extends FileAnswer> T await(Class<T> expected, String what) throws IOException {
        FileAnswer answer = next(what);
        if (expected.isInstance(answer)) {
            return expected.cast(answer);
        }
        throw new IOException(
                answer instanceof Message.Refused refused
                        ? what + ": " + refused.why()
                        : "the coordinator answered %s about %s"
                                .formatted(answer.getClass().getSimpleName(), what));
    }

    private FileAnswer next(String what) throws IOException {
        Heard heard;
        try {
            heard = answers.poll(ANSWER_TIMEOUT_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + what, e);
        }
        if (heard == null) {
            throw new IOException(
                    "the coordinator did not answer within %d s about %s"
                            .formatted(TimeUnit.NANOSECONDS.toSeconds(ANSWER_TIMEOUT_NS), what));
        }
        FileAnswer answer = heard.answer();
        if (answer == null) {
            answers.add(heard); // For the next call, too.
            throw new IOException(what + ": " + heard.end());
        }
        unanswered--;
        return answer;
    }
}
