@echo off
rem Starts Medley from an installation on Windows. JAVA_HOME names the JDK to use; else the java of
rem the PATH. MEDLEY_CLASSPATH names jars and folders with your own classes,
rem MEDLEY_WORKER_JAVA_OPTS more options for the JVMs of this machine's workers.
setlocal
set "HOME_DIR=%~dp0.."
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java"
"%JAVA%" --version >nul 2>nul
if errorlevel 1 (
    echo medley: no Java found. Medley needs a JDK 17 or later: set JAVA_HOME to one. 1>&2
    exit /b 2
)
set "CP=%HOME_DIR%\lib\*"
if defined MEDLEY_CLASSPATH set "CP=%CP%;%MEDLEY_CLASSPATH%"
"%JAVA%" -Dorg.bytedeco.javacpp.maxPhysicalBytes=0 -XX:+UseSerialGC %MEDLEY_JAVA_OPTS% ^
    -cp "%CP%" dev.medley.cli.Main %*
exit /b %errorlevel%
