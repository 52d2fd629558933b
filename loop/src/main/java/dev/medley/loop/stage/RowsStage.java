package dev.medley.loop.stage;

import dev.medley.base.ConfigException;
import dev.medley.base.Sha256;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.feature.AsOfJoin;
import dev.medley.loop.feature.FeatureTable;
import dev.medley.loop.spec.RowsSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the rows to learn from: those whose label is known by now, with features as they were known
 * at each row's time. The newest part is kept apart to judge models on, cut between two times. The
 * same sources give the same bytes.
 */
public final class RowsStage implements Stage {
    /** Its name. */
    public static final String NAME = "rows";

    private static final String LABELLED = "_labelled";
    private static final String JOINED = "_joined";

    private final LoopPlace place;
    private final SourceViews sources;
    private final List<FeatureTable> features;
    private final RowsSpec rows;
    private final double newest;
    private final LoopModels models;

    /**
     * Of these definitions.
     *
     * @param newest the part of labelled rows that is kept apart
     */
    public RowsStage(
            LoopPlace place,
            SourceViews sources,
            List<FeatureTable> features,
            RowsSpec rows,
            double newest,
            LoopModels models) {
        this.place = place;
        this.sources = sources;
        this.features = List.copyOf(features);
        this.rows = rows;
        this.newest = newest;
        this.models = models;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StageEnd work(StageContext context) throws IOException {
        long asOfMs = context.asOfMs();
        Path folder = Files.createDirectories(place.run(context.run().number()));
        try (DuckDb db = DuckDb.forFiles(List.of(), place.scratch())) {
            List<String> versions = sources.open(db, asOfMs);
            db.execute("CREATE TEMP TABLE _asked AS SELECT * FROM (" + rows.sql() + ")");
            requireColumns(db);
            String at = time(rows.at());
            String known =
                    "%s + INTERVAL '%d milliseconds' <= %s"
                            .formatted(at, rows.delay().toMillis(), moment(asOfMs));
            if (rows.label() != null) {
                known += " AND %s IS NOT NULL".formatted(DuckDb.name(rows.label()));
            }
            db.execute(
                    "CREATE TEMP TABLE %s AS SELECT * FROM _asked WHERE %s ORDER BY %s, %s"
                            .formatted(LABELLED, known, at, names(rows.key())));
            requireNoTwins(db);
            long waiting =
                    db.longs(
                                    "SELECT count(*) FROM _asked WHERE NOT coalesce(%s, false)"
                                            .formatted(known))[0];
            new AsOfJoin(db.connection(), LABELLED, rows.at()).join(features, JOINED);
            return write(context, db, folder, waiting, versions);
        } catch (SQLException e) {
            throw new ConfigException("rows: " + DuckDb.message(e), e);
        }
    }

    private StageEnd write(
            StageContext context, DuckDb db, Path folder, long waiting, List<String> versions)
            throws SQLException, IOException {
        long all = db.longs("SELECT count(*) FROM " + JOINED)[0];
        if (all == 0) {
            return StageEnd.held(
                    "no row has a label yet (%,d wait for theirs)".formatted(waiting),
                    new Rows(null, null, 0, 0, waiting, 0, "", List.of(), versions));
        }
        String at = time(rows.at());
        long first = (long) Math.floor(all * (1 - newest));
        long cutMs =
                db.longs(
                                "SELECT epoch_ms(%s) FROM %s ORDER BY 1 LIMIT 1 OFFSET %d"
                                        .formatted(at, JOINED, Math.min(first, all - 1)))[0];
        long seenMs =
                models.productionFacts(context.state()).map(ModelFacts::trainedUntilMs).orElse(0L);
        cutMs = Math.max(cutMs, seenMs);
        Path train = folder.resolve("train.parquet");
        Path judged = folder.resolve("newest.parquet");
        String old = "%s < %s".formatted(at, moment(cutMs));
        copy(db, old, train);
        copy(db, "NOT (" + old + ")", judged);
        long trainRows = db.longs("SELECT count(*) FROM %s WHERE %s".formatted(JOINED, old))[0];
        Rows result =
                new Rows(
                        train,
                        judged,
                        trainRows,
                        all - trainRows,
                        waiting,
                        cutMs,
                        sha256(train),
                        features.stream().map(FeatureTable::reference).toList(),
                        versions);
        return StageEnd.done(
                "%,d rows to learn from, %,d from %s on to judge by, %,d wait for their label"
                        .formatted(
                                trainRows, all - trainRows, Instant.ofEpochMilli(cutMs), waiting),
                result);
    }

    private void copy(DuckDb db, String which, Path file) throws SQLException, IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        List<String> dropped = Stream.concat(rows.key().stream(), Stream.of(rows.at())).toList();
        db.execute(
                "COPY (SELECT * EXCLUDE (%s) FROM %s WHERE %s ORDER BY %s, %s) TO %s (FORMAT parquet)"
                        .formatted(
                                names(dropped),
                                JOINED,
                                which,
                                time(rows.at()),
                                names(rows.key()),
                                DuckDb.text(partial.toString())));
        Files.move(
                partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void requireColumns(DuckDb db) throws SQLException {
        List<String> there =
                db.rows("SELECT name FROM pragma_table_info('_asked')").stream()
                        .map(row -> row.get(0))
                        .toList();
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

    private void requireNoTwins(DuckDb db) throws SQLException {
        String key = names(rows.key()) + ", " + DuckDb.name(rows.at());
        List<List<String>> twins =
                db.rows(
                        "SELECT count(*), %s FROM %s GROUP BY %s HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
                                .formatted(key, LABELLED, key));
        for (List<String> twin : twins) {
            throw new ConfigException(
                    "rows: %s rows have one key and time, (%s) = (%s): leave all but one out in rows.sql, or name what tells them apart in rows.key"
                            .formatted(
                                    twin.get(0),
                                    String.join(", ", rows.key()) + ", " + rows.at(),
                                    String.join(", ", twin.subList(1, twin.size()))));
        }
    }

    private static String sha256(Path file) throws IOException {
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
