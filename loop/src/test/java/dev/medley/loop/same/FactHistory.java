package dev.medley.loop.same;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a table had at each of some looks at it, and the rows that ask about it. What each of
 * these sees is found by going through all that ever was, without any index, order or engine.
 */
final class FactHistory {
    static final String AT = "happened";
    static final String ASKED = "asked";
    private static final long BASE = 20_454 * ValueKind.DAY_MICROS; // 2026-01-01
    private static final List<String> KEYS = List.of("k", "Gr\u00f6\u00dfe k", "Select");

    /** A column of the table. */
    record FactColumn(String name, ValueKind kind) {}

    /** A row of the table; values have no place where they are missing. */
    record Fact(List<String> key, @Nullable String at, List<@Nullable String> values) {}

    /** A row that asks. */
    record Asking(int number, List<@Nullable String> key, String at) {}

    /** What became known at a look. The first look does not say since when its rows are known. */
    private record Version(
            List<String> key, @Nullable Long at, @Nullable Long known, @Nullable Fact fact) {
        long happened() {
            return at != null ? at : Objects.requireNonNull(known);
        }

        long knownSince() {
            return known != null ? known : happened();
        }
    }

    /** Rows of one look. */
    record Look(long millis, Map<List<String>, Fact> rows) {}

    private final RandomGenerator random;
    private final List<FactColumn> keys = new ArrayList<>();
    private final List<FactColumn> values = new ArrayList<>();
    private final ValueKind atKind;
    private final ValueKind askedKind;
    private final boolean isTimeInKey;
    private final @Nullable Integer ttlDays;
    private final List<Look> looks = new ArrayList<>();
    private final List<Asking> askings = new ArrayList<>();

    FactHistory(long seed) {
        random = Seeds.generator(seed, 36);
        List<ValueKind> times = List.of(ValueKind.DAY, ValueKind.DATETIME, ValueKind.INSTANT);
        List<ValueKind> ofKeys = List.of(ValueKind.WHOLE, ValueKind.TEXT, ValueKind.DAY);
        for (int i = random.nextInt(3); i >= 0; i--) {
            keys.add(new FactColumn(KEYS.get(keys.size()), one(ofKeys)));
        }
        for (ValueKind kind : ValueKind.values()) {
            if (random.nextInt(3) > 0 || values.isEmpty()) {
                values.add(new FactColumn("v " + kind, kind));
            }
        }
        atKind = one(times);
        askedKind = one(times);
        isTimeInKey = random.nextInt(3) > 0;
        ttlDays = random.nextInt(3) == 0 ? 1 + random.nextInt(12) : null;
        List<List<String>> domain = keys.stream().map(this::domain).toList();
        drawLooks(domain);
        drawAskings(domain);
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Few values of a column of the key, so that rows meet. */
    private List<String> domain(FactColumn column) {
        Set<String> few = new TreeSet<>();
        while (few.size() < 2) {
            String value = column.kind().draw(random);
            boolean isOdd =
                    column.kind() == ValueKind.DAY && Math.abs(Double.parseDouble(value)) > 1e7;
            if (!isOdd) {
                few.add(value);
            }
        }
        return List.copyOf(few);
    }

    private long moment(ValueKind kind, int days) {
        long micros = BASE + random.nextInt(days) * ValueKind.DAY_MICROS;
        return kind == ValueKind.DAY
                ? micros
                : micros + (random.nextInt(8) == 0 ? random.nextInt(3) - 1 : 0);
    }

    private void drawLooks(List<List<String>> domain) {
        Set<Integer> days = new TreeSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            days.add(2 + random.nextInt(20));
        }
        Map<List<String>, Fact> now = new HashMap<>();
        int most = 2 + random.nextInt(40);
        for (int day : days) {
            for (int i = random.nextInt(most + 1); i > 0; i--) {
                change(now, domain);
            }
            looks.add(new Look(BASE / 1000 + day * ValueKind.DAY_MICROS / 1000, Map.copyOf(now)));
        }
    }

    /** A row more, one less, or one with other values. */
    private void change(Map<List<String>, Fact> now, List<List<String>> domain) {
        int what = random.nextInt(8);
        if (what > 3 || now.isEmpty()) {
            Fact fact = fact(domain);
            now.put(identity(fact), fact);
            return;
        }
        List<List<String>> there =
                now.keySet().stream().sorted(Comparator.comparing(String::valueOf)).toList();
        List<String> identity = one(there);
        Fact old = Objects.requireNonNull(now.remove(identity));
        if (what > 0) {
            Fact other = new Fact(old.key(), old.at(), fact(domain).values());
            now.put(identity, other);
        }
    }

    private Fact fact(List<List<String>> domain) {
        List<@Nullable String> cells = new ArrayList<>();
        for (FactColumn column : values) {
            cells.add(random.nextInt(6) == 0 ? null : column.kind().draw(random));
        }
        boolean isUndated = !isTimeInKey && random.nextInt(12) == 0;
        return new Fact(
                domain.stream().map(this::one).toList(),
                isUndated ? null : atKind.ofMicros(moment(atKind, 16)),
                cells);
    }

    private void drawAskings(List<List<String>> domain) {
        for (int i = random.nextInt(30); i >= 0; i--) {
            List<@Nullable String> key = new ArrayList<>();
            for (int k = 0; k < keys.size(); k++) {
                int draw = random.nextInt(25);
                key.add(
                        draw == 0
                                ? null
                                : draw == 1
                                        ? (keys.get(k).kind() == ValueKind.TEXT ? "nobody" : "5")
                                        : one(domain.get(k)));
            }
            askings.add(
                    new Asking(
                            i,
                            key,
                            askedKind.ofMicros(moment(askedKind, 20) + 6 * ValueKind.DAY_MICROS)));
        }
    }

    /** What tells rows of the table apart. */
    List<String> identity(Fact fact) {
        List<String> all = new ArrayList<>(fact.key());
        if (isTimeInKey) {
            all.add(Objects.requireNonNull(fact.at()));
        }
        return all;
    }

    List<FactColumn> keys() {
        return keys;
    }

    /** Columns of {@link #identity}. */
    List<FactColumn> identities() {
        List<FactColumn> all = new ArrayList<>(keys);
        if (isTimeInKey) {
            all.add(new FactColumn(AT, atKind));
        }
        return all;
    }

    List<FactColumn> columns() {
        List<FactColumn> all = new ArrayList<>(keys);
        all.add(new FactColumn(AT, atKind));
        all.addAll(values);
        return all;
    }

    /** Columns of the rows that ask: their number, the key and the time. */
    List<FactColumn> askedColumns() {
        List<FactColumn> all = new ArrayList<>();
        all.add(new FactColumn("n", ValueKind.WHOLE));
        all.addAll(keys);
        all.add(new FactColumn(ASKED, askedKind));
        return all;
    }

    List<FactColumn> values() {
        return values;
    }

    List<Look> looks() {
        return looks;
    }

    List<Asking> askings() {
        return askings;
    }

    @Nullable Integer ttlDays() {
        return ttlDays;
    }

    /** A row's cells in the order of {@link #columns}. */
    static List<@Nullable String> cells(Fact fact) {
        List<@Nullable String> all = new ArrayList<>(fact.key());
        all.add(fact.at());
        all.addAll(fact.values());
        return all;
    }

    private List<Version> versions(long asOfMs) {
        List<Version> all = new ArrayList<>();
        Map<List<String>, Fact> before = Map.of();
        for (Look look : looks) {
            if (look.millis() > asOfMs) {
                break;
            }
            Long known = look.millis() == looks.get(0).millis() ? null : look.millis() * 1000;
            Set<List<String>> touched = new HashSet<>(before.keySet());
            touched.addAll(look.rows().keySet());
            for (List<String> identity : touched) {
                Fact fact = look.rows().get(identity);
                if (!Objects.equals(fact, before.get(identity))) {
                    all.add(version(identity, fact, known));
                }
            }
            before = look.rows();
        }
        return all;
    }

    private Version version(List<String> identity, @Nullable Fact fact, @Nullable Long known) {
        String at = fact != null ? fact.at() : isTimeInKey ? identity.get(keys.size()) : null;
        return new Version(
                identity.subList(0, keys.size()),
                at == null ? null : (Long) atKind.micros(at),
                known,
                fact);
    }

    /** Whether the table has two rows of one key, time and time of knowledge. */
    boolean hasTwins(long asOfMs) {
        Set<List<Object>> there = new HashSet<>();
        for (Version version : dated(asOfMs)) {
            if (!there.add(List.of(version.key(), version.happened(), version.knownSince()))) {
                return true;
            }
        }
        return false;
    }

    /**
     * A row that does not say when it happened is none; one that is gone is so since it was known.
     */
    private List<Version> dated(long asOfMs) {
        return versions(asOfMs).stream().filter(v -> v.at() != null || v.fact() == null).toList();
    }

    /** The rows to learn from: each asking's number, its key, and the values that it sees. */
    List<List<@Nullable String>> joined(long asOfMs) {
        List<Version> versions = dated(asOfMs);
        List<Asking> ordered = new ArrayList<>(askings);
        ordered.sort(
                Comparator.comparingLong((Asking a) -> askedKind.micros(a.at()))
                        .thenComparing(Asking::number));
        List<List<@Nullable String>> rows = new ArrayList<>();
        for (Asking asking : ordered) {
            long at = askedKind.micros(asking.at());
            if (at <= asOfMs * 1000) {
                List<@Nullable String> row = new ArrayList<>(asking.key());
                row.add(Integer.toString(asking.number()));
                Fact seen = seen(asking, at, versions);
                for (int i = 0; i < values.size(); i++) {
                    row.add(seen == null ? null : seen.values().get(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private @Nullable Fact seen(Asking asking, long at, List<Version> versions) {
        TreeMap<Long, Version> last = new TreeMap<>(Comparator.reverseOrder());
        for (Version version : versions) {
            if (version.key().equals(asking.key())
                    && version.happened() <= at
                    && version.knownSince() <= at) {
                last.merge(
                        version.happened(),
                        version,
                        (a, b) -> a.knownSince() > b.knownSince() ? a : b);
            }
        }
        for (Version version : last.values()) {
            if (version.fact() != null) {
                boolean isOld =
                        ttlDays != null && at - version.happened() > ttlDays * ValueKind.DAY_MICROS;
                return isOld ? null : version.fact();
            } else if (version.at() == null) {
                return null;
            }
        }
        return null;
    }
}
