package dev.medley.base;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/**
 * Makes folders in places where others write, too, and recognises files and folders of this user.
 * Such a one belongs to the user, is closed to all others and is no link. Where a system has no
 * such permissions, everything counts as the user's own.
 */
public final class OwnFolder {
    private static final boolean HAS_PERMISSIONS =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final Set<PosixFilePermission> OF_OTHERS =
            EnumSet.complementOf(
                    EnumSet.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.OWNER_EXECUTE));

    private OwnFolder() {}

    /** The place of a folder for temporary files that has the user's name behind its own. */
    public static Path ofThisUser(String name) {
        String user = System.getProperty("user.name", "user").replaceAll("\\W", "_");
        return Path.of(System.getProperty("java.io.tmpdir"), name + "-" + user);
    }

    /**
     * Makes the folder if it is not there.
     *
     * @throws IOException if it cannot be made, or is not this user's alone
     */
    public static void make(Path folder) throws IOException {
        try {
            Files.createDirectory(folder, only("rwx------"));
        } catch (FileAlreadyExistsException e) {
            requireFolder(folder);
        }
    }

    /** Throws unless a folder of this user lies there, closed to all others. */
    public static void requireFolder(Path path) throws IOException {
        if (HAS_PERMISSIONS) {
            PosixFileAttributes found = attributes(path);
            require(found.isDirectory() && isClosedAndOwn(found), path, "folder");
        }
    }

    /** Throws unless a file of this user lies there, closed to all others. */
    public static void requireFile(Path path) throws IOException {
        if (HAS_PERMISSIONS) {
            PosixFileAttributes found = attributes(path);
            require(found.isRegularFile() && isClosedAndOwn(found), path, "file");
        }
    }

    /** To make something with these permissions, as {@code rwx------}. */
    public static FileAttribute<?>[] only(String permissions) {
        return HAS_PERMISSIONS
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isClosedAndOwn(PosixFileAttributes found) throws IOException {
        return found.permissions().stream().noneMatch(OF_OTHERS::contains)
                && found.owner().equals(thisUser());
    }

    private static void require(boolean holds, Path path, String what) throws IOException {
        if (!holds) {
            throw new IOException("%s is not a %s of this user alone".formatted(path, what));
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
}
