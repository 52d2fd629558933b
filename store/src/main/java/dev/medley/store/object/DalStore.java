package dev.medley.store.object;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.apache.opendal.AsyncOperator;
import org.apache.opendal.Entry;
import org.apache.opendal.ListOptions;
import org.apache.opendal.Metadata;
import org.apache.opendal.OpenDALException;
import org.apache.opendal.Operator;
import org.apache.opendal.OperatorOutputStream;
import org.apache.opendal.WriteOptions;
import org.apache.opendal.layer.RetryLayer;
import org.jspecify.annotations.Nullable;

/** Reads and writes an object store through Apache OpenDAL. */
final class DalStore implements ObjectStore {
    /** S3 takes 10,000 parts of an object, of at least 5 MiB. */
    private static final int PART_BYTES = 16 << 20;

    private static final int PIECE_BYTES = 8 << 20;

    /** Asked for at once: one stream of an object store does not fill a fast link. */
    private static final int AT_ONCE = 4;

    private static final int RETRIES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final long ANSWER_S = 60;

    /** A list comes in many answers of 1,000 names, whose end alone is seen. */
    private static final long LIST_S = 900;

    private static final String ASKED = ".asked";
    private static final String NO_BUCKET = "NoSuchBucket";

    private final StoreUrl url;
    private final AsyncOperator operator;
    private final Operator blocking;
    private final ExecutorService writer;

    private DalStore(StoreUrl url, AsyncOperator operator) {
        this.url = url;
        this.operator = operator;
        this.blocking = operator.blocking();
        this.writer =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread thread = new Thread(task, "object-store");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    static DalStore open(StoreUrl url, UnaryOperator<@Nullable String> environment) {
        String service = url.scheme() == StoreUrl.Scheme.FILE ? "fs" : "s3";
        try (AsyncOperator plain = AsyncOperator.of(service, DalSettings.of(url, environment))) {
            RetryLayer retries =
                    RetryLayer.builder().maxTimes(RETRIES).minDelay(FIRST_PAUSE).build();
            return new DalStore(url, plain.layer(retries));
        } catch (OpenDALException e) {
            String why = StoreErrorText.of(String.valueOf(e.getMessage()));
            throw new ConfigException("%s cannot be used: %s".formatted(url, why), e);
        }
    }

    @Override
    public OptionalLong bytes(String name) throws IOException {
        Optional<StoredObject> found = look(name);
        return found.isPresent() ? OptionalLong.of(found.get().bytes()) : OptionalLong.empty();
    }

    @Override
    public Optional<StoredObject> look(String name) throws IOException {
        try {
            Metadata known = within(operator.stat(name));
            return known.isFile() ? Optional.of(object(name, known)) : Optional.empty();
        } catch (Failed e) {
            if (e.code == OpenDALException.Code.NotFound) {
                return Optional.empty();
            }
            throw e.of(url, name);
        }
    }

    @Override
    public List<StoredObject> list(String folder) throws IOException {
        String root = folder.isEmpty() ? "" : folder.replaceAll("/*$", "/");
        List<StoredObject> found = new ArrayList<>();
        try {
            ListOptions all = ListOptions.builder().recursive(true).build();
            requireAnswer();
            for (Entry entry : within(LIST_S, operator.list(root, all))) {
                if (!entry.getPath().endsWith("/")) {
                    found.add(listed(entry));
                }
            }
        } catch (Failed e) {
            if (e.code == OpenDALException.Code.NotFound) {
                return List.of();
            }
            throw e.of(url, root);
        }
        found.sort(Comparator.comparing(StoredObject::name));
        return found;
    }

    @Override
    public List<StoredObject> children(String folder) throws IOException {
        String root = folder.isEmpty() ? "" : folder.replaceAll("/*$", "/");
        List<StoredObject> found = new ArrayList<>();
        try {
            for (Entry entry : within(operator.list(root))) {
                String path = entry.getPath();
                if (!path.equals(root) && !path.equals("/")) {
                    found.add(path.endsWith("/") ? new StoredObject(path, 0, "") : listed(entry));
                }
            }
        } catch (Failed e) {
            if (e.code == OpenDALException.Code.NotFound && !e.why.startsWith(NO_BUCKET)) {
                return List.of();
            }
            throw e.of(url, root);
        }
        found.sort(Comparator.comparing(StoredObject::name));
        return found;
    }

    /** Whether that object is there does not matter, nor whether one may ask. */
    private void requireAnswer() throws Failed {
        try {
            Metadata unused = within(operator.stat(ASKED));
        } catch (Failed e) {
            if (e.code == null) {
                throw e;
            }
        }
    }

    /** Some stores list names alone. */
    private StoredObject listed(Entry entry) throws Failed {
        Metadata listed = entry.getMetadata();
        boolean isKnown = listed.lastModified != null || listed.etag != null;
        Metadata known = isKnown ? listed : within(operator.stat(entry.getPath()));
        return object(entry.getPath(), known);
    }

    private static StoredObject object(String name, Metadata known) {
        String version = known.etag != null ? known.etag : String.valueOf(known.lastModified);
        return new StoredObject(name, known.getContentLength(), version);
    }

    @Override
    public byte[] read(String name) throws IOException {
        try {
            return within(operator.read(name));
        } catch (Failed e) {
            throw e.of(url, name);
        }
    }

    @Override
    public byte[] read(String name, long offset, int bytes) throws IOException {
        try {
            byte[] content = within(operator.read(name, offset, bytes));
            if (content.length != bytes) {
                throw new StoreFailure(
                        "%s/%s ends after %d of %d bytes"
                                .formatted(url, name, offset + content.length, offset + bytes),
                        null);
            }
            return content;
        } catch (Failed e) {
            throw e.of(url, name);
        }
    }

    @Override
    public void write(String name, byte[] content) throws IOException {
        try {
            Void unused = within(operator.write(name, content));
        } catch (Failed e) {
            throw e.of(url, name);
        }
    }

    @Override
    public boolean create(String name, byte[] content) throws IOException {
        WriteOptions unlessThere = WriteOptions.builder().ifNotExists(true).build();
        try {
            Void unused = within(operator.write(name, content, unlessThere));
            return true;
        } catch (Failed e) {
            if (e.code == OpenDALException.Code.ConditionNotMatch
                    || e.code == OpenDALException.Code.AlreadyExists) {
                return false;
            }
            throw e.of(url, name);
        }
    }

    @Override
    public void put(String name, Path file, LongConsumer progress) throws IOException {
        if (Files.size(file) <= PART_BYTES) {
            write(name, Files.readAllBytes(file));
            progress.accept(Files.size(file));
            return;
        }
        try (InputStream in = Files.newInputStream(file)) {
            OutputStream out = new OperatorOutputStream(blocking, name, PART_BYTES);
            long gone = 0;
            for (byte[] part = in.readNBytes(PART_BYTES);
                    part.length > 0;
                    part = in.readNBytes(PART_BYTES)) {
                byte[] next = part;
                inTime(() -> out.write(next));
                gone += part.length;
                progress.accept(gone);
            }
            inTime(out::close); // Not before all is written: what is closed is there.
        } catch (Failed e) {
            throw e.of(url, name);
        }
    }

    @Override
    public void fetch(String name, long bytes, Path into, LongConsumer progress)
            throws IOException {
        try (FileChannel out =
                FileChannel.open(into, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            fetch(name, bytes, out, progress);
        }
    }

    @Override
    public void fetch(String name, long bytes, WritableByteChannel out, LongConsumer progress)
            throws IOException {
        Deque<Piece> pieces = new ArrayDeque<>();
        try {
            long asked = 0;
            for (long come = 0; come < bytes; ) {
                for (; asked < bytes && pieces.size() < AT_ONCE; ) {
                    long length = Math.min(PIECE_BYTES, bytes - asked);
                    pieces.add(new Piece(length, operator.read(name, asked, length)));
                    asked += length;
                }
                Piece piece = pieces.remove();
                ByteBuffer content = ByteBuffer.wrap(within(piece.content()));
                if (content.remaining() != piece.bytes()) {
                    throw new StoreFailure(
                            "%s/%s ends after %d of %d bytes"
                                    .formatted(url, name, come + content.remaining(), bytes),
                            null);
                }
                while (content.hasRemaining()) {
                    come += out.write(content);
                }
                progress.accept(come);
            }
        } catch (Failed e) {
            throw e.of(url, name);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        try {
            Void unused = within(operator.delete(name));
        } catch (Failed e) {
            throw e.of(url, name);
        }
    }

    @Override
    public void close() {
        writer.shutdownNow();
        blocking.close();
        operator.close();
    }

    /** A part of an object that was asked for. */
    private record Piece(long bytes, CompletableFuture<byte[]> content) {}

    /** A write to a stream, which has no deadline of its own. */
    private interface Writing {
        void run() throws IOException;
    }

    private void inTime(Writing writing) throws Failed {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        writer.execute(
                () -> {
                    try {
                        writing.run();
                        done.complete(true);
                    } catch (IOException | RuntimeException e) {
                        done.completeExceptionally(e);
                    }
                });
        Boolean unused = within(done);
    }

    private static <T> T within(CompletableFuture<T> answer) throws Failed {
        return within(ANSWER_S, answer);
    }

    private static <T> T within(long seconds, CompletableFuture<T> answer) throws Failed {
        try {
            return answer.get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new Failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw new Failed("no answer within " + seconds + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failed("interrupted", e);
        }
    }

    /** What went wrong, before it is said of which object. */
    private static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;

        final OpenDALException.@Nullable Code code;
        private final String why;

        Failed(Throwable cause) {
            super(cause);
            this.code = cause instanceof OpenDALException e ? e.getCode() : null;
            this.why = StoreErrorText.of(String.valueOf(cause.getMessage()));
        }

        Failed(String why, Throwable cause) {
            super(cause);
            this.code = null;
            this.why = why;
        }

        IOException of(StoreUrl url, String name) {
            return new StoreFailure("%s/%s: %s".formatted(url, name, why), this);
        }
    }
}
