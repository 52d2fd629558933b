package dev.medley.store.download;

import dev.medley.store.file.AtomicFile;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The tidy form of a table of UCI's that common tools stumble over. It gets a header; comments,
 * empty lines, spaces after commas and full stops at line ends go.
 *
 * @param name of the file that is kept
 * @param header its first line
 */
public record TidyTable(String name, String header) {
    /** Puts the tidy form of {@code verified} in place of {@code target}. */
    void write(Path verified, Path target) throws IOException {
        AtomicFile.write(
                target,
                Files.size(verified),
                channel -> {
                    try (BufferedReader in = Files.newBufferedReader(verified)) {
                        BufferedWriter out =
                                new BufferedWriter(
                                        Channels.newWriter(channel, StandardCharsets.UTF_8));
                        out.write(header + "\n");
                        for (String line = in.readLine(); line != null; line = in.readLine()) {
                            String tidy = tidy(line);
                            out.write(tidy.isEmpty() ? "" : tidy + "\n");
                        }
                        out.flush();
                    }
                });
    }

    private static String tidy(String line) {
        return line.startsWith("|") ? "" : line.strip().replace(", ", ",").replaceFirst("\\.$", "");
    }
}
