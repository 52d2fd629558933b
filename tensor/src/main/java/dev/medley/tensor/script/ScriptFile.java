package dev.medley.tensor.script;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import dev.medley.tensor.ScriptModule;
import dev.medley.tensor.Torch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads a TorchScript file: a zip archive with a program in {@code code/} and its arrays in {@code
 * data/}. It is looked at before LibTorch reads it, which may run parts of the program. A program
 * that reads or writes files is refused: it may come from another machine.
 */
public final class ScriptFile {
    private static final String REMEDY =
            "write it in Python with torch.jit.script(net).save('net.pt')";

    /**
     * What reaches beyond the program's own arrays: two operators, however they are called, classes
     * of C++, and names that are spelt so that they are not seen here.
     */
    private static final Pattern REACHES_OUT =
            Pattern.compile(
                    "\\bfrom_file\\b|\\.[\\s\\\\]*save\\b|[\"']save[\"']|\\btorch\\.classes\\b"
                            + "|\\bgetattr\\s*\\([^)]*\\\\");

    /** LibTorch looks for names in any case. */
    private static final Pattern CODE =
            Pattern.compile("[^/]+/code/.*\\.py", Pattern.CASE_INSENSITIVE);

    /** A program is text; one of more than this was not written by people. */
    private static final long LARGEST_CODE_BYTES = 64L << 20;

    /** Arrays are not compressed, as PyTorch writes them. */
    private static final double LARGEST_GROWTH = 4;

    private static final int BUFFER_BYTES = 1 << 16;

    private ScriptFile() {}

    /**
     * Its SHA-256 in hex digits.
     *
     * @throws ConfigException if it is not there or cannot be read
     */
    public static String sha256(Path file) {
        check(
                !Files.isDirectory(file),
                "model.file: %s is a folder, not a TorchScript file; %s",
                file,
                REMEDY);
        MessageDigest digest = Sha256.digest();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "model.file: there is no %s; %s".formatted(file.toAbsolutePath(), REMEDY), e);
        } catch (IOException e) {
            throw new ConfigException(
                    "model.file: %s cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /**
     * The program, to be closed.
     *
     * @param sha256 that the file has to have
     * @throws ConfigException if it is no TorchScript file, is of another version or another
     *     content, or reaches beyond its own arrays
     */
    static ScriptModule load(Path file, String sha256) {
        check(
                sha256(file).equals(sha256),
                "model.file: %s is not the file that it was (its SHA-256 is another): put that one"
                        + " back, or begin a new run",
                file);
        examine(file);
        Torch.startIfNeeded();
        try {
            return ScriptModule.load(file);
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "model.file: %s cannot be read by this LibTorch: %s; write it anew, with a PyTorch"
                                    .formatted(file, firstLine(e))
                            + " of at most its version",
                    e);
        }
    }

    /** The first line of what LibTorch says, without where in its source. */
    static String firstLine(RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        List<String> lines =
                message.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        String last = lines.isEmpty() ? message : lines.get(0);
        for (String line : lines) {
            if (line.startsWith("RuntimeError:")) {
                last = line.substring("RuntimeError:".length()).strip();
            }
        }
        return last.replaceFirst("\\s*\\(.* at .*\\)$", "")
                .replaceAll(" \\(of Python compilation unit at: \\w+\\)", "")
                .replaceFirst("[.;:]+$", "");
    }

    private static void examine(Path file) {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            Set<String> names = new HashSet<>();
            boolean isProgram = false;
            long bytes = 0;
            for (ZipEntry entry : zip.stream().toList()) {
                bytes += Math.max(0, Math.min(entry.getSize(), 1L << 50));
                isProgram |= CODE.matcher(entry.getName()).matches();
                check(
                        names.add(entry.getName().toLowerCase(Locale.ROOT)),
                        "model.file: %s holds %s twice: it is not read",
                        file,
                        entry.getName());
            }
            check(
                    isProgram,
                    "model.file: %s holds no program, as a file of weights or a pickled model does:"
                            + " %s",
                    file,
                    REMEDY);
            check(
                    bytes <= LARGEST_GROWTH * Files.size(file) + LARGEST_CODE_BYTES,
                    "model.file: %s would unpack to %,d bytes, far more than a file of arrays: it"
                            + " is not read",
                    file,
                    bytes);
            for (ZipEntry entry : zip.stream().toList()) {
                if (CODE.matcher(entry.getName()).matches()) {
                    examine(file, zip, entry);
                }
            }
        } catch (IOException e) {
            throw new ConfigException(
                    "model.file: %s is no TorchScript file: %s".formatted(file, REMEDY), e);
        }
    }

    private static void examine(Path file, ZipFile zip, ZipEntry entry) throws IOException {
        check(
                entry.getSize() <= LARGEST_CODE_BYTES,
                "model.file: %s has a program of %,d bytes: it is not read",
                file,
                entry.getSize());
        byte[] part;
        try (InputStream packed = zip.getInputStream(entry)) {
            part = packed.readNBytes((int) LARGEST_CODE_BYTES + 1); // It may be more than it says.
        }
        check(
                part.length <= LARGEST_CODE_BYTES,
                "model.file: %s has a program of more than %,d bytes: it is not read",
                file,
                LARGEST_CODE_BYTES);
        Matcher found = REACHES_OUT.matcher(new String(part, StandardCharsets.ISO_8859_1));
        if (found.find()) {
            throw new ConfigException(
                    "model.file: %s has a program that reaches beyond its arrays, as if to read or"
                                    .formatted(file)
                            + " write files ('%s' in %s): it is not run"
                                    .formatted(found.group().strip(), entry.getName()));
        }
    }
}
