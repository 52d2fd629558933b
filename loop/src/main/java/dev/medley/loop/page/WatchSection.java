package dev.medley.loop.page;

import dev.medley.loop.damage.ColumnDamage;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.watch.ColumnStanding;
import dev.medley.record.report.Html;
import java.util.List;
import java.util.Locale;

/** Shows where the columns and the answers of the model in production stand. */
final class WatchSection {
    private static final int SHOWN = 40;
    private static final int BAR = 90;

    private WatchSection() {}

    /** Of the last run that looked. */
    static String html(List<RunFigures> runs) {
        for (int i = runs.size() - 1; i >= 0; i--) {
            Watched watched = runs.get(i).watched();
            if (watched != null && !watched.all().isEmpty()) {
                return table(runs.get(i).run(), watched);
            }
        }
        return Html.empty("No rows have arrived yet since a model was trained.");
    }

    private static String table(long run, Watched watched) {
        StringBuilder html = new StringBuilder();
        html.append(
                said(
                        "<p class=\"note\">Run %d, version %d: %,d rows with this run, %,d since it"
                            + " was trained. A monitor alone decides whether something has changed,"
                            + " however often it looks; statistics are of the newest rows at one"
                            + " look, for information. Changed columns are in the order of what"
                            + " they cost.</p>%n",
                        run, watched.version(), watched.arrived(), watched.since()));
        html.append("<div class=\"tables\"><table><tr><th>Column</th><th>Changed</th>")
                .append("<th>Evidence</th><th>Growth of the mean loss</th><th>How</th>")
                .append("<th>Statistics</th></tr>\n");
        double most =
                watched.columns().stream()
                        .filter(column -> column.damage() != null)
                        .mapToDouble(column -> reach(column.damage()))
                        .max()
                        .orElse(1);
        watched.all().stream()
                .limit(SHOWN)
                .forEach(column -> html.append(row(column, Math.max(most, 1e-9))));
        html.append("</table></div>\n");
        int left = watched.all().size() - SHOWN;
        return left <= 0
                ? html.toString()
                : html
                        + Html.empty(
                                "%d more have not changed; see medley loop explain"
                                        .formatted(left));
    }

    private static double reach(ColumnDamage damage) {
        return Math.abs(damage.damage()) + 2 * damage.error();
    }

    private static String row(ColumnStanding column, double most) {
        boolean isAlarm = column.standing().isAlarm();
        ColumnDamage damage = column.damage();
        return said(
                "<tr><td class=\"word\"><b>%s</b></td><td><span class=\"state %s\">%s</span></td>"
                        + "<td>%s</td><td>%s</td><td>%s</td><td class=\"small\">%s</td></tr>%n",
                Html.text(column.column()),
                isAlarm ? "held" : "none",
                isAlarm ? "window " + column.standing().alarmedAt() : "no",
                evidence(column.standing().evidence()),
                damage == null ? "" : damage(damage, most),
                Html.text(column.standing().why()),
                Html.text(column.statistics() == null ? "" : column.statistics().words()));
    }

    /** A bar up to what an alarm takes. */
    private static String evidence(double evidence) {
        double full = Math.min(1, Math.max(0, evidence));
        return said(
                "<svg class=\"bars\" viewBox=\"0 0 %d 12\" role=\"img\" aria-label=\"%.0f"
                    + " %%\"><rect class=\"ground\" width=\"%d\" height=\"12\"/><rect class=\"%s\""
                    + " width=\"%.1f\" height=\"12\"/></svg>",
                BAR, 100 * full, BAR, full >= 1 ? "full" : "bar", BAR * full);
    }

    /** A bar to the right where the loss grows, with two standard errors. */
    private static String damage(ColumnDamage damage, double most) {
        double middle = BAR / 2.0;
        double end = middle + middle * damage.damage() / most;
        double reach = middle * 2 * damage.error() / most;
        return said(
                "<svg class=\"bars\" viewBox=\"0 0 %d 12\" role=\"img\" aria-label=\"%2$.4f\"><rect"
                        + " class=\"ground\" width=\"%1$d\" height=\"12\"/><rect class=\"%3$s\""
                        + " x=\"%4$.1f\" width=\"%5$.1f\" height=\"12\"/><line class=\"range\""
                        + " x1=\"%6$.1f\" x2=\"%7$.1f\" y1=\"6\" y2=\"6\"/></svg><small>%2$+.4f"
                        + " &plusmn; %8$.4f</small>",
                BAR,
                damage.damage(),
                damage.damage() > 0 ? "worse" : "bar",
                Math.min(middle, end),
                Math.abs(end - middle),
                end - reach,
                end + reach,
                2 * damage.error());
    }

    private static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
