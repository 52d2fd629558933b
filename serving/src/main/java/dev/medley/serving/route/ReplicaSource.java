package dev.medley.serving.route;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says where the servers of a router are named: in its command, or in a file that may change.
 *
 * @param text addresses with commas between them; null where there is a file
 * @param file an address on each line, with comments behind {@code #}; null where there is a text
 */
public record ReplicaSource(@Nullable String text, @Nullable Path file) {
    private static final String COMMENT = "#[^\n]*";
    private static final long MOST_BYTES = 1 << 20;

    public ReplicaSource {
        ConfigException.check(
                (text == null) != (file == null),
                "give either --to with servers, or --to-file with a file that names them");
    }

    /**
     * The servers by now.
     *
     * @throws ConfigException if there is none, or one cannot be read
     */
    public List<ReplicaAddress> read() {
        Path from = file;
        String given = text;
        if (from == null) {
            return ReplicaAddress.parseAll(given == null ? "" : given, "--to");
        }
        ConfigException.check(
                Files.isReadable(from) && !Files.isDirectory(from),
                "--to-file %s: there is no such file to read",
                from);
        try {
            ConfigException.check(
                    Files.size(from) <= MOST_BYTES, "--to-file %s: is larger than 1 MiB", from);
            String lines =
                    Files.readAllLines(from).stream()
                            .map(line -> line.replaceFirst(COMMENT, ""))
                            .collect(Collectors.joining("\n"));
            return ReplicaAddress.parseAll(lines, "--to-file " + from);
        } catch (IOException e) {
            throw new ConfigException(
                    "--to-file %s: is no text in UTF-8: %s".formatted(from, e.getMessage()), e);
        }
    }
}
