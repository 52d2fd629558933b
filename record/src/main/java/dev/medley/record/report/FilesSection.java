package dev.medley.record.report;

import dev.medley.base.text.Units;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Links to the other files in the run's folder. */
final class FilesSection {
    private static final int MOST_LOGS = 40;

    private FilesSection() {}

    static String html(RunRecord run) {
        StringBuilder html = new StringBuilder("<ul class=\"files\">");
        Path folder = run.folder().path();
        for (Path file :
                List.of(
                        run.folder().jobFile(),
                        run.folder().job(),
                        run.folder().plans(),
                        run.folder().workers(),
                        run.folder().steps(),
                        run.folder().evaluations(),
                        run.folder().evaluationReport(),
                        run.folder().events(),
                        run.folder().summary(),
                        run.folder().machine(),
                        run.folder().cluster(),
                        run.folder().data(),
                        run.folder().model(),
                        run.folder().checkpoints())) {
            link(html, folder, file);
        }
        logs(run.folder().logs()).forEach(log -> link(html, folder, log));
        html.append("</ul>\n");
        if (run.unreadableLines() > 0) {
            html.append(Html.empty(run.unreadableLines() + " lines of the record are unreadable."));
        }
        return Html.section("files", "Files", html.toString());
    }

    private static void link(StringBuilder html, Path folder, Path file) {
        if (!Files.exists(file)) {
            return;
        }
        String path = folder.relativize(file).toString().replace('\\', '/');
        html.append("<li><a href=\"")
                .append(Html.text(path.replace("%", "%25").replace("#", "%23").replace("?", "%3F")))
                .append("\">")
                .append(Html.text(path))
                .append("</a> <small>")
                .append(size(file))
                .append("</small></li>\n");
    }

    private static String size(Path file) {
        try {
            return Files.isDirectory(file) ? "folder" : Units.bytes((double) Files.size(file));
        } catch (IOException e) {
            return "unreadable";
        }
    }

    private static List<Path> logs(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().limit(MOST_LOGS).toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
