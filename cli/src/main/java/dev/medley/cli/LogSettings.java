package dev.medley.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures logging without a configuration file, which would cost start-up time. Lines go to
 * standard error, from the level in the system property {@code medley.log} on ({@code WARN} unless
 * it is set).
 */
public final class LogSettings extends ContextAwareBase implements Configurator {
    /**
     * The system property with the level: {@code ERROR}, {@code WARN}, {@code INFO}, {@code DEBUG}.
     */
    public static final String LEVEL = "medley.log";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0}: %msg%n");
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        ch.qos.logback.classic.Logger root = context.getLogger("ROOT");
        root.addAppender(appender);
        root.setLevel(Level.toLevel(System.getProperty(LEVEL), Level.WARN));
        // A server that speaks another protocol is told in one sentence by who asked it.
        context.getLogger("com.linecorp.armeria.client.Http1ResponseDecoder").setLevel(Level.OFF);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
