package dev.medley.base;

import static dev.medley.base.ConfigException.check;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a regular file that a user or another program has named, and refuses anything else. A pipe
 * or a device in its place would make the reader wait for ever, or fill its memory. A file that
 * does not exist is left to the caller, who knows what it is for.
 */
public final class NamedFile {
    private static final int KIND = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;
    private static final int CHARACTERS = 0020000;
    private static final int BLOCKS = 0060000;

    private NamedFile() {}

    /** Throws a {@link ConfigException} if {@code file} is there and is no regular file. */
    public static void require(Path file) {
        check(!Files.isDirectory(file), "%s: is a folder, and a file is needed: name one", file);
        check(
                !Files.exists(file) || Files.isRegularFile(file),
                "%s: is %s, and a file is needed: write what comes from it into one, and name that",
                file,
                kind(file));
    }

    /**
     * All bytes of a regular file.
     *
     * @param mostBytes what is longer is refused before it is read
     * @throws ConfigException if it is no regular file, or longer
     * @throws IOException if it is not there, or cannot be read
     */
    public static byte[] bytes(Path file, int mostBytes) throws IOException {
        require(file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(mostBytes);
            check(
                    bytes.length < mostBytes || in.read() < 0,
                    "%s: %,d bytes are more than such a file has, %,d at most: is it the right"
                            + " file?",
                    file,
                    Files.size(file),
                    mostBytes);
            return bytes;
        }
    }

    /**
     * All text of a regular file in UTF-8.
     *
     * @throws ConfigException as {@link #bytes} does, and with the line and the column of what is
     *     not UTF-8
     */
    public static String text(Path file, int mostBytes) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(bytes(file, mostBytes));
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            // What was decoded before it is the text before it.
            String before = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
            int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
            int column = before.length() - before.lastIndexOf('\n');
            throw ConfigException.at(
                    file.toString(), line, column, "not UTF-8 text: save the file as UTF-8");
        }
    }

    private static String kind(Path file) {
        try {
            int mode = (int) Files.getAttribute(file, "unix:mode");
            return switch (mode & KIND) {
                case PIPE -> "a pipe";
                case SOCKET -> "a socket";
                case CHARACTERS, BLOCKS -> "a device";
                default -> "no regular file";
            };
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return "no regular file";
        }
    }
}
