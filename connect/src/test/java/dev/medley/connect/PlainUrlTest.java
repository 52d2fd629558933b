package dev.medley.connect;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.postgres.PostgresOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class PlainUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:oracle:thin:scott/hush@//host:1521/service",
                "jdbc:oracle:thin:scott/\"hu@sh\"@host:1521:sid",
                "jdbc:oracle:thin:hush@host:1521/service",
                "postgresql://user:hush@host/db",
                "postgresql://user:hu/sh@host/db",
                "postgresql://user:hu@sh@host/db",
                "postgresql://user:hu?sh@host/db",
                "postgresql://user:hush/db",
                "postgresql://host/db?user=a&password=hush",
                "postgresql://host/db?sslpassword=hush",
                "postgresql://host/db?pass%77ord=hush",
                "postgresql://user%3Ahush%40host/db",
                "jdbc:mysql://user:hu/sh@host:3306/db",
                "jdbc:mysql://address=(host=h)(password=hush)/db",
                "jdbc:mysql://host/db?passwordCharacterEncoding=utf8&password=hush",
                "jdbc:sqlserver://host;user=a;password={hush;}",
                "jdbc:snowflake://acme.example/?private_key_pwd=hush",
                "jdbc:databricks://host:443;PWD=hush",
                "jdbc:duckdb:md:db?motherduck_token=hush",
                "jdbc:redshift:iam://host/db?AccessKeyID=x&SecretAccessKey=hush",
                "jdbc:h2:mem:x;PASSWORD=hush",
                "jdbc:clickhouse://host:8123/db?access_token=hush"
            })
    void shouldRefuseAPasswordHoweverItIsWrittenAndNotShowIt(String url) {
        assertThatThrownBy(() -> PlainUrl.check(url))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds a user or a password")
                .hasMessageNotContaining("hu")
                .hasMessageNotContaining("sh@")
                .hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:oracle:thin:@//host:1521/service",
                "jdbc:oracle:thin:@host:1521:sid",
                "jdbc:oracle:thin:/@tns_name",
                "postgresql://host:5432/db?sslmode=require&sslkey=/etc/key",
                "postgresql://h1:5432,h2:5433/db?targetServerType=primary",
                "postgresql://[::1]:5432/db",
                "postgresql:///db",
                "jdbc:mysql://host:3306/db?useSSL=true",
                "jdbc:sqlserver://host\\instance:1433;databaseName=a;user=me@server",
                "jdbc:bigquery://https://api.example:443;OAuthServiceAcctEmail=a@b.iam.gserviceaccount.com",
                "jdbc:snowflake://acme.example:443/?db=A&private_key_file=/etc/key.p8",
                "jdbc:h2:mem:source",
                "jdbc:h2:/tmp/a b/100%",
                "jdbc:duckdb:/data/a.db"
            })
    void shouldTakeAddressesWithoutOne(String url) {
        assertThatCode(() -> PlainUrl.check(url)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hush/elsewhere", "mysql://hush/db", "host hush"})
    void anAddressThatIsNotUnderstoodShouldNotBeShown(String url) {
        assertThatThrownBy(() -> PostgresOptions.of(url, "a", null, "t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("hush");
    }
}
