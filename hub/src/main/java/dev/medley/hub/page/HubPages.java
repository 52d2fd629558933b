package dev.medley.hub.page;

import dev.medley.record.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Holds the files of a hub's pages, by the path at which a browser asks for each. */
public final class HubPages {
    /**
     * What a browser may do on these pages: load their own files and ask their own hub, and nothing
     * that a job's or machine's name could make it do.
     */
    public static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private HubPages() {}

    /**
     * Holds one file.
     *
     * @param type its media type
     */
    public record File(String type, String text) {}

    /** All files by path; {@code /} is the fleet's page and {@code /api} the interface's. */
    public static Map<String, File> all() {
        String html = "text/html; charset=utf-8";
        String css = "text/css; charset=utf-8";
        String script = "text/javascript; charset=utf-8";
        Map<String, File> files = new LinkedHashMap<>();
        files.put("/", new File(html, own("fleet.html")));
        files.put("/api", new File(html, own("interface.html")));
        files.put("/page/report.css", new File(css, Report.resource("report.css")));
        files.put("/page/fleet.css", new File(css, own("fleet.css")));
        files.put("/page/uplot.css", new File(css, Report.resource("uPlot-1.6.32.min.css")));
        files.put("/page/uplot.js", new File(script, uPlot()));
        for (String each : new String[] {"words.js", "parts.js", "fleet.js", "interface.js"}) {
            files.put("/page/" + each, new File(script, own(each)));
        }
        return files;
    }

    /** With the licence that has to go along. */
    private static String uPlot() {
        return "/* https://github.com/leeoniya/uPlot\n"
                + Report.resource("uPlot-LICENSE.txt")
                + "*/\n"
                + Report.resource("uPlot-1.6.32.iife.min.js");
    }

    private static String own(String name) {
        try (InputStream stream = HubPages.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
