package dev.medley.cli.download;

import dev.medley.cli.download.PublicSet.RemoteFile;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Puts a verified file into its place, with a header and tidy lines where it lacks them. */
final class Rewriting {
    private Rewriting() {}

    static void apply(RemoteFile file, Path verified, Path target) throws IOException {
        if (file.rewrite() == RemoteFile.Rewrite.NONE && file.head().isEmpty()) {
            Download.move(verified, target);
            return;
        }
        Path tidy = target.resolveSibling(target.getFileName() + ".tidy");
        try (BufferedReader in = Files.newBufferedReader(verified);
                BufferedWriter out = Files.newBufferedWriter(tidy)) {
            if (!file.head().isEmpty()) {
                out.write(file.head());
                out.write('\n');
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String written = adult(line);
                if (!written.isEmpty()) {
                    out.write(written);
                    out.write('\n');
                }
            }
        }
        Download.move(tidy, target);
        Files.delete(verified);
    }

    private static String adult(String line) {
        if (line.startsWith("|")) {
            return "";
        }
        return line.strip().replace(", ", ",").replaceFirst("\\.$", "");
    }
}
