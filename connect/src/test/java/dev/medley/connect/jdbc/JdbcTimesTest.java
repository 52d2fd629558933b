package dev.medley.connect.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Days and times of a driver that knows no java.time: H2's, with that taken away. */
@Tag("unit")
class JdbcTimesTest {
    private final TimeZone usual = TimeZone.getDefault();

    @BeforeEach
    void begin() {
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin")); // Its clocks change.
    }

    @AfterEach
    void end() {
        TimeZone.setDefault(usual);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-29T02:30:00.123456", // This hour is none in Berlin.
                "2026-10-25T02:30:00.000001",
                "1969-12-31T23:59:59.999999",
                "1582-10-16T00:00:00"
            })
    void shouldReadAndAskForTimesByTheOlderClasses(String text) throws SQLException {
        LocalDateTime time = LocalDateTime.parse(text);
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:older");
                PreparedStatement statement =
                        connection.prepareStatement(
                                "SELECT TIMESTAMP '%1$s', CAST('%1$s+00' AS TIMESTAMP WITH TIME ZONE),"
                                                .formatted(text.replace('T', ' '))
                                        + " DATE '%s', ? = TIMESTAMP '%s'"
                                                .formatted(
                                                        time.toLocalDate(),
                                                        text.replace('T', ' ')))) {
            JdbcTimes.set(older(PreparedStatement.class, statement), 1, time);
            try (ResultSet real = statement.executeQuery()) {
                real.next();
                ResultSet result = older(ResultSet.class, real);
                JdbcTimes times = new JdbcTimes();
                for (int again = 0; again < 2; again++) {
                    assertThat(times.dateTime(result, 1, "t")).isEqualTo(time);
                    assertThat(times.day(result, 3)).isEqualTo(time.toLocalDate());
                }
                assertThat(times.moment(result, 2, "z"))
                        .isEqualTo(OffsetDateTime.parse(text + "Z"));
                assertThat(real.getBoolean(4)).isTrue();
            }
        }
    }

    @Test
    void shouldTakeAnOlderTimeForTheOneThatItWrites() throws SQLException {
        Timestamp written = Timestamp.valueOf("1500-02-28 02:30:00.5");
        assertThat(new JdbcTimes().dateTime(giving(written), 1, "AT"))
                .isEqualTo(LocalDateTime.parse("1500-02-28T02:30:00.5"));
    }

    /** Both have the same number in the older classes. */
    @Test
    void shouldRefuseTheDaysWhoseNumberTwoCalendarsHave() {
        ResultSet result = giving(Timestamp.from(Instant.parse("1582-10-10T00:00:00Z")));
        assertThatThrownBy(() -> new JdbcTimes().dateTime(result, 1, "AT"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'AT'")
                .hasMessageContaining("October 1582");
    }

    private static ResultSet giving(Timestamp time) {
        return (ResultSet)
                Proxy.newProxyInstance(
                        ResultSet.class.getClassLoader(),
                        new Class<?>[] {ResultSet.class},
                        (self, method, arguments) -> {
                            if (method.getName().equals("getTimestamp")) {
                                return time;
                            }
                            throw new SQLFeatureNotSupportedException();
                        });
    }

    @Test
    void shouldFindTheSignOfAYearThatADriverLoses() throws SQLException {
        java.sql.Date given = new java.sql.Date(-63_517_824_000_000L); // In 44 before Christ.
        ResultSet result =
                (ResultSet)
                        Proxy.newProxyInstance(
                                ResultSet.class.getClassLoader(),
                                new Class<?>[] {ResultSet.class},
                                (self, method, arguments) ->
                                        arguments.length == 1 ? given : LocalDate.of(44, 3, 15));
        assertThat(new JdbcTimes().day(result, 1)).isEqualTo(LocalDate.of(-43, 3, 15));
    }

    /** Does what {@code real} does, but for java.time. */
    private static <T> T older(Class<T> type, T real) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> {
                            if (arguments != null
                                    && Arrays.stream(arguments).anyMatch(JdbcTimesTest::isNewer)) {
                                throw new SQLFeatureNotSupportedException("java.time");
                            }
                            try {
                                return method.invoke(real, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getTargetException();
                            }
                        }));
    }

    private static boolean isNewer(@Nullable Object o) {
        return o instanceof Temporal
                || (o instanceof Class<?> type && Temporal.class.isAssignableFrom(type));
    }
}
