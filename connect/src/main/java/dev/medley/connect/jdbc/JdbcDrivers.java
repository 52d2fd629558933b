package dev.medley.connect.jdbc;

import dev.medley.base.ConfigException;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Finds the driver of a database: in the jars that were named, as they announce it themselves (JDBC
 * 4), else among those of the program. Jars stay loaded as long as the program runs.
 *
 * <p>Thread: any.
 */
final class JdbcDrivers {
    private static final Map<List<Path>, ClassLoader> LOADED = new ConcurrentHashMap<>();

    private JdbcDrivers() {}

    static Driver of(JdbcOptions options) {
        return options.classPath().isEmpty() ? ofProgram(options) : ofJars(options);
    }

    private static Driver ofProgram(JdbcOptions options) {
        try {
            return DriverManager.getDriver(options.url());
        } catch (SQLException e) {
            throw new ConfigException(
                    "%s: there is no driver for this url: name its jar, as in class_path: driver.jar"
                            .formatted(options.place()),
                    e);
        }
    }

    private static Driver ofJars(JdbcOptions options) {
        ClassLoader loader = LOADED.computeIfAbsent(options.classPath(), JdbcDrivers::load);
        List<String> others = new ArrayList<>();
        for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
            try {
                if (driver.acceptsURL(options.url())) {
                    return driver;
                }
            } catch (SQLException e) {
                // It is not its own then.
            }
            others.add(driver.getClass().getName());
        }
        throw new ConfigException(
                "%s: no driver in class_path %s takes this url; there are %s"
                        .formatted(
                                options.place(),
                                options.classPath().stream()
                                        .map(Path::toString)
                                        .collect(Collectors.joining(File.pathSeparator)),
                                others.isEmpty() ? "none" : String.join(", ", others)));
    }

    private static ClassLoader load(List<Path> jars) {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars) {
            ConfigException.check(
                    Files.isReadable(jar), "class_path: %s: there is no such jar to read", jar);
            try {
                urls.add(jar.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new ConfigException("class_path: %s: is no path of a jar".formatted(jar), e);
            }
        }
        return new URLClassLoader(
                "jdbc-drivers", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }
}
