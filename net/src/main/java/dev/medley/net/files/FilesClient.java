package dev.medley.net.files;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FileAnswer;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches files from a coordinator and brings files to it, over one connection. Every wait has a
 * deadline; whatever goes wrong is an {@link IOException} that says what. Answers come in the order
 * of the requests: the next call reads and drops those that a failed call did not wait for.
 *
 * <p>Thread: any; calls exclude each other.
 */
public final class FilesClient implements AutoCloseable {
    private static final int PIECE_BYTES = 1 << 20;
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    /** So often a coordinator that is busy with one thing is looked after. */
    private static final int MOST_LOOKS = 60;

    private final Dialler dialler;
    private final long lookNs;
    private volatile Requests requests;

    private FilesClient(Dialler dialler, long lookNs) throws IOException {
        this.dialler = dialler;
        this.lookNs = lookNs;
        this.requests = Requests.open(dialler, ANSWER_TIMEOUT_NS);
    }

    /** How to connect: address, patience, credentials and pass are the caller's affair. */
    @FunctionalInterface
    public interface Dialler {
        /** Opens a connection whose messages go to {@code handler}. */
        ControlConnection dial(ControlConnection.Handler handler) throws IOException;
    }

    /** Connects. */
    public static FilesClient open(Dialler dialler) throws IOException {
        return open(dialler, ANSWER_TIMEOUT_NS);
    }

    /** The same with another time before a coordinator that says nothing is looked after. */
    static FilesClient open(Dialler dialler, long lookNs) throws IOException {
        return new FilesClient(dialler, lookNs);
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
        requests.send(new Message.AskDigest(file));
        Message.Digest digestThere = awaitWork(Message.Digest.class, file, coordinator -> false);
        String theirs = Objects.requireNonNull(digestThere).sha256();
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
            for (; asked < bytes && asked - come < (long) Requests.AHEAD * PIECE_BYTES; ) {
                int length = (int) Math.min(PIECE_BYTES, bytes - asked);
                requests.send(new Message.Fetch(file, offset + asked, length));
                asked += length;
            }
            byte[] piece = requests.await(Message.Piece.class, file).bytes();
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
        requests.send(new Message.Keep(name, of, digests));
        Message.Received unused =
                awaitWork(
                        Message.Received.class,
                        name,
                        coordinator -> {
                            KeptState there = coordinator.kept(name);
                            return there != null && !there.isBefore(of);
                        });
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
        requests.send(new Message.AskKept(name));
        FileAnswer answer = requests.await(FileAnswer.class, name);
        return answer instanceof Message.Kept kept ? kept.of() : null;
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
            requests.send(new Message.Bring(folder, name, file.bytes(), offset, piece));
            offset += piece.length;
            if (requests.unanswered() == Requests.AHEAD) {
                Message.Received unused = requests.await(Message.Received.class, name);
            }
            if (piece.length < PIECE_BYTES) {
                break;
            }
        }
        while (requests.unanswered() > 0) {
            Message.Received unused = requests.await(Message.Received.class, name);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public void close() {
        requests.close();
    }

    /** What was asked for by a call that failed, which would be taken for what is asked next. */
    private void passOver() throws IOException {
        while (requests.unanswered() > 0) {
            FileAnswer unused = requests.await(FileAnswer.class, "what was asked before");
        }
    }

    /** Whether a coordinator has done what takes it long. */
    private interface Look {
        boolean isDone(FilesClient coordinator) throws IOException;
    }

    /**
     * The answer to what makes the coordinator read or write all of a large file first. It says
     * nothing meanwhile; as long as it can be reached on another connection, it is at it.
     *
     * @return null if a look said that it is done
     */
    private <T extends FileAnswer> @Nullable T awaitWork(Class<T> expected, String what, Look look)
            throws IOException {
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            FileAnswer answer = requests.poll(lookNs, what);
            if (answer != null) {
                return Requests.as(expected, answer, what);
            } else if (isDone(look)) {
                return null;
            }
        }
        throw Requests.late(MOST_LOOKS * lookNs, what);
    }

    /** If it is, this goes on over the connection on which that was said. */
    private boolean isDone(Look look) throws IOException {
        FilesClient other = again();
        Requests before = requests;
        try {
            if (!look.isDone(other)) {
                return false;
            }
            requests = other.requests;
            before.close();
            return true;
        } finally {
            if (requests == before) {
                other.close();
            }
        }
    }

    /** What is no use to try again at first is trouble on the way like any other now. */
    private FilesClient again() throws IOException {
        try {
            return open(dialler, lookNs);
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
