package dev.medley.iceberg;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of a table from this machine and from object stores. What lies in a store is fetched
 * whole into a folder, once. Nothing is ever written.
 *
 * <p>Thread: one.
 */
final class StoredFileIo implements FileIO {
    /** What a catalog hands out, and what it is for other programs. */
    private static final Map<String, String> VENDED =
            Map.of(
                    "s3.access-key-id", "AWS_ACCESS_KEY_ID",
                    "s3.secret-access-key", "AWS_SECRET_ACCESS_KEY",
                    "s3.session-token", "AWS_SESSION_TOKEN",
                    "s3.endpoint", "AWS_ENDPOINT_URL",
                    "client.region", "AWS_REGION");

    private final Path folder;
    private final UnaryOperator<@Nullable String> environment;
    private final Map<String, String> vended = new HashMap<>();
    private final Map<String, ObjectStore> stores = new HashMap<>();
    private final Map<String, Path> fetched = new HashMap<>();

    /**
     * Fetches into a folder.
     *
     * @param given properties of a catalog's table
     */
    StoredFileIo(
            Path folder, UnaryOperator<@Nullable String> environment, Map<String, String> given) {
        this.folder = folder;
        this.environment = environment;
        VENDED.forEach(
                (property, variable) -> {
                    String value = given.get(property);
                    if (value != null) {
                        vended.put(variable, value);
                    }
                });
    }

    /** The file on this machine that has what lies there. */
    Path local(String location) throws IOException {
        Path known = fetched.get(location);
        if (known != null) {
            return known;
        }
        if (!isStored(location)) {
            return path(location);
        }
        StoreUrl url = url(location);
        ObjectStore store = store(url);
        Optional<StoredObject> object = store.look(url.folder());
        if (object.isEmpty()) {
            throw new NotFoundException("%s: there is no such object", location);
        }
        Path into = folder.resolve(fetched.size() + "-" + Path.of(url.folder()).getFileName());
        store.fetch(url.folder(), object.get().bytes(), into, bytes -> {});
        fetched.put(location, into);
        return into;
    }

    /** Lets go of a fetched file that is not needed any more. */
    void forget(String location) throws IOException {
        Path into = fetched.remove(location);
        if (into != null) {
            Files.deleteIfExists(into);
        }
    }

    boolean exists(String location) throws IOException {
        if (!isStored(location)) {
            return Files.isRegularFile(path(location));
        }
        StoreUrl url = url(location);
        return store(url).look(url.folder()).isPresent();
    }

    private ObjectStore store(StoreUrl url) {
        return stores.computeIfAbsent(
                url.bucket(),
                bucket ->
                        ObjectStore.open(
                                url.wholeBucket(),
                                name -> {
                                    String own = vended.get(name);
                                    return own == null ? environment.apply(name) : own;
                                }));
    }

    private static boolean isStored(String location) {
        return location.startsWith("s3://")
                || location.startsWith("s3a://")
                || location.startsWith("s3n://");
    }

    private static StoreUrl url(String location) {
        return StoreUrl.of("iceberg", location.replaceFirst("^s3[an]://", "s3://"));
    }

    /** Paths as Iceberg's engines write them: plain, {@code file:/…} and {@code file:///…}. */
    static Path path(String location) {
        if (location.startsWith("file:")) {
            return Path.of(
                    URI.create(location.replaceFirst("^file:/+", "file:///").replace(" ", "%20")));
        }
        ConfigException.check(
                !StoreUrl.isUrl(location),
                "%s: tables are read from files and s3://BUCKET/KEY",
                location);
        return Path.of(location);
    }

    @Override
    public InputFile newInputFile(String location) {
        return new StoredInput(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
        throw new UnsupportedOperationException("tables of Iceberg are only read");
    }

    @Override
    public void deleteFile(String location) {
        throw new UnsupportedOperationException("tables of Iceberg are only read");
    }

    @Override
    public void close() {
        for (ObjectStore store : stores.values()) {
            store.close();
        }
        stores.clear();
    }

    private final class StoredInput implements InputFile {
        private final String location;

        StoredInput(String location) {
            this.location = location;
        }

        @Override
        public long getLength() {
            try {
                return Files.size(local(location));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public SeekableInputStream newStream() {
            try {
                return new LocalStream(Files.newByteChannel(local(location)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String location() {
            return location;
        }

        @Override
        public boolean exists() {
            try {
                return StoredFileIo.this.exists(location);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class LocalStream extends SeekableInputStream {
        private final SeekableByteChannel channel;
        private final InputStream stream;

        LocalStream(SeekableByteChannel channel) {
            this.channel = channel;
            this.stream = java.nio.channels.Channels.newInputStream(channel);
        }

        @Override
        public long getPos() throws IOException {
            return channel.position();
        }

        @Override
        public void seek(long position) throws IOException {
            channel.position(position);
        }

        @Override
        public int read() throws IOException {
            return stream.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return channel.read(ByteBuffer.wrap(into, offset, length));
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
