package dev.medley.store.object;

import dev.medley.base.job.StoreUrl;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores objects by name. An object exists whole or not at all. Every wait has a deadline; whatever
 * goes wrong is an {@link IOException} whose message names the object and says what.
 *
 * <p>Thread: one at a time.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * Opens a store; nothing is asked of it yet.
     *
     * <p>S3: {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY}, {@code AWS_SESSION_TOKEN},
     * {@code AWS_REGION} and {@code AWS_ENDPOINT_URL} are what they are for other programs; without
     * a key the machine's own role or its {@code ~/.aws} is used.
     *
     * @param environment a variable's value, null if it is not set
     * @throws dev.medley.base.ConfigException if there cannot be such a store
     */
    static ObjectStore open(StoreUrl url, UnaryOperator<@Nullable String> environment) {
        return DalStore.open(url, environment);
    }

    /** Bytes of an object; empty if there is none. */
    OptionalLong bytes(String name) throws IOException;

    /** What is known of an object; empty if there is none. */
    Optional<StoredObject> look(String name) throws IOException;

    /** All objects below a folder, by name; none where there is no such folder. */
    List<StoredObject> list(String folder) throws IOException;

    /**
     * What lies directly below a folder, by name; none where there is no such folder. Names of
     * folders end with {@code /}.
     */
    List<StoredObject> children(String folder) throws IOException;

    /** All of a small object. */
    byte[] read(String name) throws IOException;

    /** A stretch of an object. */
    byte[] read(String name, long offset, int bytes) throws IOException;

    /** Puts a small object in place of what has its name. */
    void write(String name, byte[] content) throws IOException;

    /**
     * Writes a small object unless there is one of its name. Of all that do so at the same time,
     * one succeeds, in a store that heeds conditions ({@code If-None-Match}). One that does not
     * refuses, or takes all.
     *
     * @return whether nobody else's is there; where an answer was lost, it may be false for the
     *     caller's own
     */
    boolean create(String name, byte[] content) throws IOException;

    /**
     * Puts a file as an object in place of what has its name.
     *
     * @param progress told the bytes that have gone
     */
    void put(String name, Path file, LongConsumer progress) throws IOException;

    /**
     * Fetches an object into a new file.
     *
     * @param bytes that it has
     * @param progress told the bytes that have come
     */
    void fetch(String name, long bytes, Path into, LongConsumer progress) throws IOException;

    /**
     * The same to where bytes are taken in order.
     *
     * @param bytes that it has
     * @param progress told the bytes that have come
     */
    void fetch(String name, long bytes, WritableByteChannel into, LongConsumer progress)
            throws IOException;

    /** Removes an object; one that is not there is fine. */
    void delete(String name) throws IOException;

    /** Lets go of connections. */
    @Override
    void close();
}
