package dev.medley.record.report;

/** Writes text that cannot break out of a page. */
public final class Html {
    private Html() {}

    /** Text for an element or a quoted attribute. */
    public static String text(String raw) {
        StringBuilder safe = new StringBuilder(raw.length() + 16);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.append(c < ' ' && c != '\n' && c != '\t' ? ' ' : c);
            }
        }
        return safe.toString();
    }

    /** JSON for inside a script element. */
    static String json(String json) {
        return json.replace("<", "\\u003c")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    /** A paragraph that says why there is nothing to see. */
    public static String empty(String why) {
        return "<p class=\"empty\">" + text(why) + "</p>\n";
    }

    /** A titled part of the page; {@code body} is HTML. */
    public static String section(String id, String title, String body) {
        return "<section id=\"" + id + "\"><h2>" + text(title) + "</h2>\n" + body + "</section>\n";
    }

    /** The place of a chart that the script draws. */
    static String chart(String kind, String title, String about) {
        return "<figure class=\"chart\" data-chart=\""
                + text(kind)
                + "\"><figcaption><b>"
                + text(title)
                + "</b> <span>"
                + text(about)
                + "</span></figcaption><div class=\"plot\"></div></figure>\n";
    }

    /** The place of a chart that has nothing to show. */
    static String noChart(String title, String why) {
        return "<figure class=\"chart\"><figcaption><b>"
                + text(title)
                + "</b></figcaption>"
                + empty(why)
                + "</figure>\n";
    }
}
