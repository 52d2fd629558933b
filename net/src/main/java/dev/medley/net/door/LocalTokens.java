package dev.medley.net.door;

import dev.medley.base.ConfigException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The join tokens of commands that listen on this machine's loopback without being given one: each
 * leaves its own where agents of the same user find it, and nobody else reads it. One file for each
 * address and port, mode 600, in a folder of mode 700.
 *
 * <p>The folder lies where others write, too. So it is used only if it is this user's own, no link,
 * and closed to all others; the same holds for each file that is read. A file that a killed command
 * left behind is harmless: its token opens nothing, and the next command at that port replaces it.
 *
 * <p>Thread: any.
 */
public final class LocalTokens {
    private static final boolean HAS_PERMISSIONS =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");
    private static final int MOST_BYTES = 128;
    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.complementOf(
                    EnumSet.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE));

    private final Path folder;

    /** In that folder, which need not be there. */
    public LocalTokens(Path folder) {
        this.folder = folder;
    }

    /** In the folder for temporary files, under the user's name. */
    public static LocalTokens ofThisUser() {
        String user = System.getProperty("user.name", "user").replaceAll("\\W", "_");
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        return new LocalTokens(temporary.resolve("medley-tokens-" + user));
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
            Path draft = Files.createTempFile(folder, ".draft-", "", only("rw-------"));
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
            makeFolder();
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
            requireOwn(folder, true);
            requireOwn(place, false);
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

    private void makeFolder() throws IOException {
        try {
            Files.createDirectory(folder, only("rwx------"));
        } catch (FileAlreadyExistsException e) {
            requireOwn(folder, true);
        }
    }

    private static void requireOwn(Path path, boolean isFolder) throws IOException {
        if (!HAS_PERMISSIONS) {
            return;
        }
        PosixFileAttributes found =
                Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        boolean isOfKind = isFolder ? found.isDirectory() : found.isRegularFile();
        boolean isClosed = found.permissions().stream().noneMatch(OF_OTHERS::contains);
        if (!isOfKind || !isClosed || !found.owner().equals(thisUser())) {
            throw new IOException(
                    "%s is not a %s of this user alone"
                            .formatted(path, isFolder ? "folder" : "file"));
        }
    }

    /** Who owns what this process makes. */
    private static UserPrincipal thisUser() throws IOException {
        Path own = Files.createTempFile("medley-", "");
        try {
            return Files.getOwner(own);
        } finally {
            Files.delete(own);
        }
    }

    private static FileAttribute<?>[] only(String permissions) {
        return HAS_PERMISSIONS
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
