package dev.medley.net.door;

import dev.medley.base.ConfigException;
import dev.medley.base.OwnFolder;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stores the join tokens of commands that listen on this machine's loopback without being given
 * one. Each command leaves its own token where agents of the same user find it, and nobody else
 * reads it: one file for each address and port, mode 600, in a folder of mode 700.
 *
 * <p>The folder lies where others write, too. So it is used only if it is this user's own, no link,
 * and closed to all others; the same holds for each file that is read. A file that a killed command
 * left behind is harmless: its token opens nothing, and the next command at that port replaces it.
 *
 * <p>Thread: any.
 */
public final class LocalTokens {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");
    private static final int MOST_BYTES = 128;
    private final Path folder;

    /** In that folder, which need not be there. */
    public LocalTokens(Path folder) {
        this.folder = folder;
    }

    /** In the folder for temporary files, under the user's name. */
    public static LocalTokens ofThisUser() {
        return new LocalTokens(OwnFolder.ofThisUser("medley-tokens"));
    }

    /** Where they lie. */
    public Path folder() {
        return folder;
    }

    /**
     * Leaves the token of who listens there; closing takes it away, which has to be before the port
     * is free for another.
     *
     * @throws ConfigException if it cannot be left so that nobody else reads it
     */
    public Closeable leave(InetSocketAddress listening, String token) {
        Path place = place(listening);
        requireUsable();
        try {
            Path draft = Files.createTempFile(folder, ".draft-", "", OwnFolder.only("rw-------"));
            Files.writeString(draft, token + "\n");
            Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
            return () -> Files.deleteIfExists(place);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /**
     * Makes the folder if it is not there.
     *
     * @throws ConfigException if it cannot be used
     */
    public void requireUsable() {
        try {
            OwnFolder.make(folder);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    private ConfigException unusable(IOException e) {
        return new ConfigException(
                "a join token cannot be left in %s for agents of this user: %s. Remove it, or give"
                                .formatted(folder, e.getMessage())
                        + " this command and the agents the same --token-file (64 hexadecimal"
                        + " digits)",
                e);
    }

    /**
     * The token of who listens there; null if none was left.
     *
     * @throws IOException if what lies there is not this user's alone
     */
    public @Nullable String at(InetSocketAddress coordinator) throws IOException {
        Path place = place(coordinator);
        try {
            OwnFolder.requireFolder(folder);
            OwnFolder.requireFile(place);
            String token = read(place).strip();
            return FORM.matcher(token).matches() ? token : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static String read(Path place) throws IOException {
        try (SeekableByteChannel file =
                Files.newByteChannel(
                        place, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
            while (bytes.hasRemaining() && file.read(bytes) >= 0) {}
            return StandardCharsets.US_ASCII.decode(bytes.flip()).toString();
        }
    }

    private Path place(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress().replaceAll("[^0-9A-Za-z.]", "-");
        return folder.resolve(host + "_" + address.getPort());
    }
}
