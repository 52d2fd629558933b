package dev.medley.connect.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.TableSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SchemaRulesTest {
    private static final Column ID = column("1", "id", ColumnType.INTEGER, 32, 0, false);
    private static final Column N = column("2", "n", ColumnType.DECIMAL, 8, 2, true);
    private static final Column T = column("3", "t", ColumnType.TEXT, 10, 0, false);
    private static final TableSchema OLD = schema(ID, N, T);

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @Test
    @Tag("unit")
    void shouldNameEachKindOfChange() {
        assertThat(kinds(schema(ID, N, T, column("4", "x", ColumnType.REAL, 64, 0, true))))
                .containsExactly(ChangeKind.ADDED);
        assertThat(kinds(schema(ID, N))).containsExactly(ChangeKind.DROPPED);
        assertThat(kinds(schema(ID, N, column("3", "u", ColumnType.TEXT, 10, 0, false))))
                .containsExactly(ChangeKind.RENAMED);
        assertThat(kinds(schema(ID, N, column("3", "t", ColumnType.TEXT, 0, 0, false))))
                .containsExactly(ChangeKind.WIDENED);
        assertThat(kinds(schema(ID, N, column("3", "t", ColumnType.TEXT, 9, 0, false))))
                .containsExactly(ChangeKind.NARROWED);
        assertThat(kinds(schema(ID, column("2", "n", ColumnType.DECIMAL, 9, 3, true), T)))
                .containsExactly(ChangeKind.WIDENED);
        assertThat(kinds(schema(ID, column("2", "n", ColumnType.DECIMAL, 9, 4, true), T)))
                .as("fewer digits before the point")
                .containsExactly(ChangeKind.NARROWED);
        assertThat(kinds(schema(ID, column("2", "n", ColumnType.REAL, 64, 0, true), T)))
                .containsExactly(ChangeKind.RETYPED);
        assertThat(kinds(schema(ID, N, column("3", "t", ColumnType.TEXT, 10, 0, true))))
                .containsExactly(ChangeKind.NULLABILITY);
        assertThat(kinds(schema(T, ID, N))).as("another order alone").isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ChangeKind.class)
    @Tag("unit")
    void shouldSayWhyItRefuses(ChangeKind kind) {
        SchemaDecision decision = SchemaRules.decide(OLD, changed(kind), SchemaContract.FIXED);
        assertThat(decision.isRefused()).isTrue();
        assertThat(decision.kept()).isEqualTo(OLD);
        assertThat(decision.why()).contains("'").contains("freezes").doesNotContain("\n");
    }

    @ParameterizedTest
    @EnumSource(ChangeKind.class)
    @Tag("unit")
    void shouldFollowTheSourceWhereTheContractSaysSo(ChangeKind kind) {
        TableSchema now = changed(kind);
        SchemaDecision decision = SchemaRules.decide(OLD, now, SchemaContract.FOLLOW);
        assertThat(decision.isRefused()).isFalse();
        assertThat(decision.kept()).isEqualTo(now);
        assertThat(decision.rules()).isEmpty();
    }

    @Test
    @Tag("unit")
    void shouldRefuseContractsThatContradictThemselves() {
        SchemaMode e = SchemaMode.EVOLVE;
        SchemaMode f = SchemaMode.FREEZE;
        SchemaMode row = SchemaMode.DISCARD_ROW;
        SchemaMode value = SchemaMode.DISCARD_VALUE;
        for (SchemaMode mode : List.of(row, value)) {
            assertThatThrownBy(() -> new SchemaContract(e, f, mode, e, f, f, e))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("renamed: discard_");
        }
        assertThatThrownBy(() -> new SchemaContract(e, row, e, e, f, f, e))
                .hasMessageContaining("dropped: discard_row");
        assertThatThrownBy(() -> new SchemaContract(e, f, e, e, f, f, value))
                .hasMessageContaining("nullability: discard_value");
        assertThatThrownBy(() -> new SchemaContract(e, f, e, f, e, f, e))
                .hasMessageContaining("less room");
        assertThatThrownBy(() -> new SchemaContract(e, f, e, e, f, e, e))
                .hasMessageContaining("retyped: evolve");
    }

    @Test
    @Tag("unit")
    void shouldNotLeaveTheKeyWithoutValues() {
        SchemaContract values =
                new SchemaContract(
                        SchemaMode.EVOLVE,
                        SchemaMode.DISCARD_VALUE,
                        SchemaMode.EVOLVE,
                        SchemaMode.DISCARD_VALUE,
                        SchemaMode.FREEZE,
                        SchemaMode.DISCARD_VALUE,
                        SchemaMode.EVOLVE);
        Column wide = column("1", "id", ColumnType.INTEGER, 64, 0, false);
        SchemaDecision decision = SchemaRules.decide(OLD, schema(wide, N, T), values);
        assertThat(decision.isRefused()).isTrue();
        assertThat(decision.why()).contains("'id' is of the key");
        Column text = column("1", "id", ColumnType.TEXT, 0, 0, false);
        assertThat(SchemaRules.decide(OLD, schema(text, N, T), values).isRefused()).isTrue();
    }

    @Test
    @Tag("unit")
    void shouldNotKeepTwoColumnsOfOneName() {
        SchemaContract values =
                new SchemaContract(
                        SchemaMode.EVOLVE,
                        SchemaMode.DISCARD_VALUE,
                        SchemaMode.EVOLVE,
                        SchemaMode.EVOLVE,
                        SchemaMode.FREEZE,
                        SchemaMode.FREEZE,
                        SchemaMode.EVOLVE);
        Column again = column("9", "t", ColumnType.TEXT, 10, 0, false);
        assertThat(SchemaRules.decide(OLD, schema(ID, N, again), values).why())
                .contains("keeps the old one of that name");
    }

    /** Whatever changes, a decision either refuses or keeps columns that have one source each. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldAlwaysDecide(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        for (int i = 0; i < 300; i++) {
            TableSchema old = drawn(random);
            TableSchema now = drawn(random);
            SchemaContract contract = contract(random);
            SchemaDecision decision = SchemaRules.decide(old, now, contract);
            assertThat(decision).isEqualTo(SchemaRules.decide(old, now, contract));
            assertThat(decision.why()).isNotBlank();
            if (decision.isRefused()) {
                continue;
            }
            assertThat(decision.from()).hasSameSizeAs(decision.kept().columns());
            for (int c = 0; c < decision.from().size(); c++) {
                Column kept = decision.kept().columns().get(c);
                int from = decision.from().get(c);
                if (from != SchemaDecision.NOWHERE) {
                    assertThat(now.columns().get(from).id()).isEqualTo(kept.id());
                    assertThat(now.columns().get(from).type())
                            .as("not cast")
                            .isEqualTo(kept.type());
                }
            }
            TableSchema kept = decision.kept();
            SchemaDecision again = SchemaRules.decide(kept, now, contract);
            assertThat(again.isRefused()).as("a decision holds").isFalse();
            assertThat(again.kept().columns()).hasSameElementsAs(kept.columns());
        }
    }

    private static SchemaContract contract(RandomGenerator random) {
        while (true) {
            try {
                return new SchemaContract(
                        mode(random),
                        mode(random),
                        mode(random),
                        mode(random),
                        mode(random),
                        mode(random),
                        mode(random));
            } catch (ConfigException e) {
                assertThat(e).hasMessageContaining("contract");
            }
        }
    }

    private static SchemaMode mode(RandomGenerator random) {
        return random.nextInt(3) > 0
                ? SchemaMode.EVOLVE
                : List.of(SchemaMode.values()).get(random.nextInt(SchemaMode.values().length));
    }

    private static TableSchema drawn(RandomGenerator random) {
        List<Column> columns = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int id = 0; id < 5; id++) {
            String name = "c" + (random.nextInt(6) == 0 ? random.nextInt(5) : id);
            if (random.nextInt(5) > 0 && names.add(name)) {
                ColumnType type =
                        random.nextInt(4) > 0
                                ? ColumnType.TEXT
                                : List.of(ColumnType.values()).get(random.nextInt(9));
                columns.add(
                        column(
                                String.valueOf(id),
                                name,
                                type,
                                random.nextInt(3) * 16,
                                0,
                                random.nextInt(5) > 0));
            }
        }
        List<String> key =
                columns.isEmpty() || random.nextBoolean()
                        ? List.of()
                        : List.of(columns.get(0).name());
        return new TableSchema(columns, key);
    }

    private static TableSchema changed(ChangeKind kind) {
        return switch (kind) {
            case ADDED -> schema(ID, N, T, column("4", "x", ColumnType.REAL, 64, 0, true));
            case DROPPED -> schema(ID, T);
            case RENAMED -> schema(ID, N, column("3", "u", ColumnType.TEXT, 10, 0, false));
            case WIDENED -> schema(ID, N, column("3", "t", ColumnType.TEXT, 20, 0, false));
            case NARROWED -> schema(ID, N, column("3", "t", ColumnType.TEXT, 5, 0, false));
            case RETYPED -> schema(ID, N, column("3", "t", ColumnType.BYTES, 0, 0, false));
            case NULLABILITY -> schema(ID, N, column("3", "t", ColumnType.TEXT, 10, 0, true));
        };
    }

    private static Set<ChangeKind> kinds(TableSchema now) {
        return SchemaRules.decide(OLD, now, SchemaContract.FOLLOW).changes().stream()
                .map(SchemaChange::kind)
                .collect(Collectors.toSet());
    }

    private static TableSchema schema(Column... columns) {
        return new TableSchema(
                List.of(columns),
                List.of(columns).contains(ID) ? List.of("id") : List.of(keyOf(columns)));
    }

    private static String keyOf(Column... columns) {
        return List.of(columns).stream()
                .filter(c -> c.id().equals("1"))
                .findFirst()
                .orElseThrow()
                .name();
    }

    private static Column column(
            String id, String name, ColumnType type, int size, int scale, boolean nullable) {
        return new Column(id, name, type, size, scale, nullable);
    }
}
