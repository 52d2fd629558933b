package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.feature.AsOfJoin;
import dev.medley.loop.feature.FeatureTable;
import dev.medley.loop.spec.RowsSpec;
import dev.medley.loop.stage.LoopPlace;
import dev.medley.loop.stage.SourceViews;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the rows to learn from: those whose label is known at a time, with features as they were
 * known at each row's time. The newest part is kept apart to judge models on, cut between two
 * times. The same versions of the sources give the same bytes, however often they are made.
 *
 * <p>Thread: one.
 */
public final class RowMaker {
    /** Decides the first time of the newest rows. */
    interface Cut {
        /**
         * The first time, milliseconds since 1970.
         *
         * @param rows how many rows there are
         * @param timeOf the time of the row that is this many rows from the oldest
         */
        long choose(long rows, TimeOfRow timeOf) throws SQLException;
    }

    /** Tells the time of a row. */
    interface TimeOfRow {
        long at(long row) throws SQLException;
    }

    private static final String LABELLED = "_labelled";
    private static final String JOINED = "_joined";

    private static final int DIGITS = 8;

    private final LoopPlace place;
    private final SourceViews sources;
    private final List<FeatureTable> features;
    private final RowsSpec rows;

    /** Of these definitions. */
    public RowMaker(
            LoopPlace place, SourceViews sources, List<FeatureTable> features, RowsSpec rows) {
        this.place = place;
        this.sources = sources;
        this.features = List.copyOf(features);
        this.rows = rows;
    }

    /** What rows are made by: the query of the rows, and the features. */
    public List<String> definitions() {
        return Stream.concat(
                        Stream.of("rows#" + Sha256.hex(rows.sql()).substring(0, DIGITS)),
                        features.stream().map(FeatureTable::reference))
                .toList();
    }

    /**
     * Makes them with the cut that another run had.
     *
     * @param asOfMs whose knowledge counts, milliseconds since 1970
     * @param folder for the files
     * @param cutMs the first time of the newest rows
     */
    public LearntRows again(long asOfMs, Path folder, long cutMs) throws IOException {
        return make(asOfMs, folder, (all, timeOf) -> cutMs);
    }

    /**
     * Makes them.
     *
     * @param newest the part that is kept apart
     * @param seenMs rows before this time are never kept apart, as a model has learnt from them
     */
    public LearntRows make(long asOfMs, Path folder, double newest, long seenMs)
            throws IOException {
        return make(
                asOfMs,
                folder,
                (all, timeOf) -> {
                    long first = (long) (all * (1 - newest));
                    long cutMs =
                            first >= all
                                    ? timeOf.at(all - 1) + 1
                                    : Math.max(timeOf.at(first), second(all, first, timeOf));
                    return Math.max(seenMs, cutMs);
                });
    }

    /** The second time that rows have, if most have the first: some are to learn from. */
    private static long second(long all, long first, TimeOfRow timeOf) throws SQLException {
        long oldest = timeOf.at(0);
        if (timeOf.at(first) > oldest || timeOf.at(all - 1) == oldest) {
            return oldest;
        }
        long low = first; // Still of the oldest time.
        long high = all - 1;
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (timeOf.at(middle) > oldest) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return timeOf.at(high);
    }

    /**
     * The time right behind the last row whose label is known, milliseconds since 1970.
     *
     * @param asOfMs whose knowledge counts, likewise
     */
    public long endMs(long asOfMs) throws IOException {
        try (DuckDb db = asked(asOfMs, place.scratch().resolve("asked"))) {
            return db.longs(
                            "SELECT coalesce(max(epoch_ms(%s)) + 1, 0) FROM _asked WHERE %s"
                                    .formatted(time(rows.at()), isKnown(asOfMs)))[0];
        } catch (SQLException e) {
            throw new ConfigException("rows.sql or a feature: " + DuckDb.message(e), e);
        }
    }

    /** Whether its label has had the time that it takes. */
    private String isOldEnough(long asOfMs) {
        return "%s + INTERVAL '%d milliseconds' <= %s"
                .formatted(time(rows.at()), rows.delay().toMillis(), moment(asOfMs));
    }

    /** How many rows wait for their label, and whether that is usual. */
    String waiting(LearntRows made) {
        boolean isLate = made.overdue() > 0 && !rows.delay().isZero();
        return isLate
                ? ", of which %,d are older than rows.delay, %d days; does the column '%s' ever get a value?"
                        .formatted(made.overdue(), rows.delay().toDays(), rows.label())
                : "";
    }

    /** Which columns of the query have changed since the rows' time, as far as it can be told. */
    RowsThen.Compared changed(long asOfMs, Path folder) throws IOException {
        return new RowsThen(place, sources, rows).look(asOfMs, folder);
    }

    /** Whether a row's label is known. */
    private String isKnown(long asOfMs) {
        String known = isOldEnough(asOfMs);
        return rows.label() == null
                ? known
                : known + " AND %s IS NOT NULL".formatted(DuckDb.name(rows.label()));
    }

    /**
     * Writes which rows there are, with a label or without: their keys and times.
     *
     * @param asOfMs whose knowledge counts, milliseconds since 1970
     */
    public void seen(long asOfMs, Path file) throws IOException {
        try (DuckDb db = asked(asOfMs, file)) {
            write(db, identity() + " FROM _asked", file);
        } catch (SQLException e) {
            throw new ConfigException("rows.sql or a feature: " + DuckDb.message(e), e);
        }
    }

    /**
     * Writes rows that were not there before, with a label or without, to a file: the columns that
     * are learnt from and no other.
     *
     * @param seen what {@link #seen} wrote before
     * @return how many there are
     */
    long arrived(long asOfMs, Path seen, Path file) throws IOException {
        try (DuckDb db = asked(asOfMs, file)) {
            db.execute(
                    ("CREATE TEMP TABLE %s AS SELECT * FROM _asked a WHERE NOT EXISTS"
                                    + " (SELECT 1 FROM read_parquet(%s) s WHERE %s)")
                            .formatted(LABELLED, DuckDb.path(seen), isSame()));
            new AsOfJoin(db.connection(), LABELLED, rows.at()).join(features, JOINED);
            copy(db, "true", file);
            return db.longs("SELECT count(*) FROM " + JOINED)[0];
        } catch (SQLException e) {
            throw new ConfigException("rows.sql or a feature: " + DuckDb.message(e), e);
        }
    }

    /**
     * Writes which rows a training learnt: keys and times.
     *
     * @param asOfMs whose knowledge it worked with, milliseconds since 1970
     * @param cutMs the first time of the rows that it did not learn, likewise
     */
    public void learntBy(long asOfMs, long cutMs, Path file) throws IOException {
        try (DuckDb db = asked(asOfMs, file)) {
            write(
                    db,
                    "%s FROM _asked WHERE %s AND %s < %s"
                            .formatted(identity(), isKnown(asOfMs), time(rows.at()), moment(cutMs)),
                    file);
        } catch (SQLException e) {
            throw new ConfigException("rows.sql or a feature: " + DuckDb.message(e), e);
        }
    }

    /**
     * Tells of labelled rows that were not learnt yet.
     *
     * @param rows how many are in the files
     * @param foreign how many have a label that the model does not know, and are not in the files
     * @param endMs behind the time of the last of them, milliseconds since 1970; 0 for none
     */
    public record Unlearnt(long rows, long foreign, long endMs) {}

    /**
     * Writes labelled rows that are in none of the files of learnt ones, in the order of time, with
     * features as they were known at each row's time.
     *
     * @param asOfMs whose knowledge counts, milliseconds since 1970
     * @param learnt files with keys and times
     * @param labels which labels the model knows; empty for any
     * @param sinceMs when somebody looked last: a row that came since was not there then
     * @param file for the columns that are learnt from
     * @param keys for keys and times of the same rows in the same order, with {@code _at_ms}, and
     *     {@code _from_ms}, before which the row could not be learnt
     */
    public Unlearnt unlearnt(
            long asOfMs, List<Path> learnt, List<String> labels, long sinceMs, Path file, Path keys)
            throws IOException {
        try (DuckDb db = asked(asOfMs, file)) {
            db.execute(
                    "CREATE TEMP TABLE %s AS SELECT * FROM _asked WHERE %s"
                            .formatted(LABELLED, isKnown(asOfMs)));
            requireTimes(db);
            requireNoTwins(db);
            String known =
                    labels.isEmpty()
                            ? "true"
                            : "CAST(%s AS VARCHAR) IN (%s)"
                                    .formatted(
                                            DuckDb.name(String.valueOf(rows.label())),
                                            labels.stream()
                                                    .map(DuckDb::text)
                                                    .collect(Collectors.joining(", ")));
            db.execute(
                    ("CREATE TEMP TABLE _unlearnt AS SELECT * FROM %s a WHERE NOT EXISTS (SELECT 1"
                                    + " FROM read_parquet([%s], union_by_name = true) s WHERE %s)")
                            .formatted(
                                    LABELLED,
                                    learnt.stream()
                                            .map(DuckDb::path)
                                            .collect(Collectors.joining(", ")),
                                    isSame()));
            db.execute(
                    "CREATE TEMP TABLE _new AS SELECT * FROM _unlearnt WHERE %s ORDER BY %s, %s"
                            .formatted(known, time(rows.at()), names(rows.key())));
            new AsOfJoin(db.connection(), "_new", rows.at()).join(features, JOINED);
            copy(db, "true", file);
            String at = "epoch_ms(%s)".formatted(time(rows.at()));
            write(
                    db,
                    "%s, %s AS _at_ms, greatest(%d, least(%d, %s + %d)) AS _from_ms FROM %s ORDER BY %s, %s"
                            .formatted(
                                    identity(),
                                    at,
                                    sinceMs,
                                    asOfMs,
                                    at,
                                    rows.delay().toMillis(),
                                    JOINED,
                                    time(rows.at()),
                                    names(rows.key())),
                    keys);
            long[] found =
                    db.longs(
                            ("SELECT count(*) FILTER (WHERE %1$s), count(*) FILTER (WHERE NOT"
                                 + " %1$s), coalesce(max(%2$s) FILTER (WHERE %1$s) + 1, 0) FROM"
                                 + " _unlearnt")
                                    .formatted("coalesce(" + known + ", false)", at));
            return new Unlearnt(found[0], found[1], found[2]);
        } catch (SQLException e) {
            throw new ConfigException("rows.sql or a feature: " + DuckDb.message(e), e);
        }
    }

    private String isSame() {
        return Stream.concat(rows.key().stream(), Stream.of(rows.at()))
                .map(DuckDb::name)
                .map(n -> "s.%s IS NOT DISTINCT FROM a.%s".formatted(n, n))
                .collect(Collectors.joining(" AND "));
    }

    private DuckDb asked(long asOfMs, Path file) throws IOException, SQLException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        DuckDb db = DuckDb.forFiles(List.of(), place.scratch());
        try {
            sources.open(db, asOfMs);
            db.execute("CREATE TEMP TABLE _asked AS SELECT * FROM (" + rows.sql() + ")");
            requireColumns(db);
            return db;
        } catch (IOException | SQLException | RuntimeException e) {
            db.close();
            throw e;
        }
    }

    /** What tells rows apart: the key and the time. */
    private String identity() {
        return names(rows.key()) + ", " + DuckDb.name(rows.at());
    }

    private LearntRows make(long asOfMs, Path folder, Cut cut) throws IOException {
        try (DuckDb db = asked(asOfMs, folder.resolve("train.parquet"))) {
            String at = time(rows.at());
            String known = isKnown(asOfMs);
            db.execute(
                    "CREATE TEMP TABLE %s AS SELECT * FROM _asked WHERE %s ORDER BY %s, %s"
                            .formatted(LABELLED, known, at, names(rows.key())));
            requireTimes(db);
            requireNoTwins(db);
            long[] waiting =
                    db.longs(
                            ("SELECT count(*), count(*) FILTER (WHERE %s) FROM _asked WHERE NOT"
                                            + " coalesce(%s, false)")
                                    .formatted(isOldEnough(asOfMs), known));
            new AsOfJoin(db.connection(), LABELLED, rows.at()).join(features, JOINED);
            return write(db, folder, waiting, sources.versions(asOfMs), cut);
        } catch (SQLException e) {
            throw new ConfigException("rows.sql or a feature: " + DuckDb.message(e), e);
        }
    }

    private LearntRows write(DuckDb db, Path folder, long[] waiting, List<String> versions, Cut cut)
            throws SQLException, IOException {
        long all = db.longs("SELECT count(*) FROM " + JOINED)[0];
        List<String> made = definitions();
        if (all == 0) {
            return new LearntRows(
                    null, null, 0, 0, waiting[0], waiting[1], 0, 0, "", made, versions);
        }
        String at = time(rows.at());
        TimeOfRow timeOf =
                row ->
                        db.longs(
                                        "SELECT epoch_ms(%s) FROM %s ORDER BY 1 LIMIT 1 OFFSET %d"
                                                .formatted(at, JOINED, row))[0];
        long cutMs = cut.choose(all, timeOf);
        Path train = folder.resolve("train.parquet");
        Path judged = folder.resolve("newest.parquet");
        String old = "%s < %s".formatted(at, moment(cutMs));
        copy(db, old, train);
        copy(db, "NOT (" + old + ")", judged);
        String keys =
                "%s FROM %s WHERE NOT (%s) ORDER BY %s, %s"
                        .formatted(identity(), JOINED, old, at, names(rows.key()));
        write(db, keys, AnsweredRows.keys(judged));
        long trainRows = db.longs("SELECT count(*) FROM %s WHERE %s".formatted(JOINED, old))[0];
        return new LearntRows(
                train,
                judged,
                trainRows,
                all - trainRows,
                waiting[0],
                waiting[1],
                cutMs,
                timeOf.at(all - 1) + 1,
                sha256(train),
                made,
                versions);
    }

    /** The columns that are learnt from, in the order of time. */
    private void copy(DuckDb db, String which, Path file) throws SQLException, IOException {
        Set<String> dropped = new HashSet<>(FeatureTable.SYSTEM);
        dropped.addAll(rows.key());
        dropped.add(rows.at());
        List<String> kept = new ArrayList<>(columns(db, JOINED));
        kept.removeAll(dropped);
        if (kept.isEmpty()) {
            throw new ConfigException(
                    "rows.sql gives no column besides the key and the time: there is nothing to"
                            + " learn from");
        }
        String what =
                "%s FROM %s WHERE %s ORDER BY %s, %s"
                        .formatted(names(kept), JOINED, which, time(rows.at()), names(rows.key()));
        write(db, what, file);
    }

    private static List<String> columns(DuckDb db, String table) throws SQLException {
        return db.rows("SELECT name FROM pragma_table_info(" + DuckDb.text(table) + ")").stream()
                .map(row -> row.get(0))
                .toList();
    }

    /** Writes what a query selects, all or nothing. */
    static void write(DuckDb db, String what, Path file) throws SQLException, IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        db.execute(
                "COPY (SELECT %s) TO %s (FORMAT parquet)"
                        .formatted(what, DuckDb.text(partial.toString())));
        Files.move(
                partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void requireColumns(DuckDb db) throws SQLException {
        List<String> there = columns(db, "_asked");
        Stream.of(rows.key().stream(), Stream.of(rows.at()), Stream.ofNullable(rows.label()))
                .flatMap(names -> names)
                .filter(name -> !there.contains(name))
                .findFirst()
                .ifPresent(
                        name -> {
                            throw new ConfigException(
                                    "rows.sql gives no column '%s'; it gives %s"
                                            .formatted(name, String.join(", ", there)));
                        });
    }

    private void requireTimes(DuckDb db) throws SQLException {
        long without =
                db.longs("SELECT count(*) FROM _asked WHERE %s IS NULL".formatted(time(rows.at())))[
                        0];
        if (without > 0) {
            throw new ConfigException(
                    ("rows: %,d rows have no %s, so that nobody knows what was known then: leave "
                                    + "them out in rows.sql")
                            .formatted(without, rows.at()));
        }
    }

    private void requireNoTwins(DuckDb db) throws SQLException {
        String key = names(rows.key()) + ", " + DuckDb.name(rows.at());
        List<List<String>> twins =
                db.rows(
                        "SELECT count(*), %s FROM %s GROUP BY %s HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
                                .formatted(key, LABELLED, key));
        for (List<String> twin : twins) {
            throw new ConfigException(
                    ("rows: %s rows have one key and time, (%s) = (%s): leave all but one out in "
                                    + "rows.sql, or name what tells them apart in rows.key")
                            .formatted(
                                    twin.get(0),
                                    String.join(", ", rows.key()) + ", " + rows.at(),
                                    String.join(", ", twin.subList(1, twin.size()))));
        }
    }

    /** Of a file, in hexadecimal digits. */
    public static String sha256(Path file) throws IOException {
        MessageDigest digest = Sha256.digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String time(String column) {
        return "CAST(%s AS TIMESTAMPTZ)".formatted(DuckDb.name(column));
    }

    private static String moment(long ms) {
        return "CAST(make_timestamp(%d) AS TIMESTAMPTZ)".formatted(ms * 1000);
    }

    private static String names(List<String> names) {
        return names.stream().map(DuckDb::name).collect(Collectors.joining(", "));
    }
}
