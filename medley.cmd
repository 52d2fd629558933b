@echo off
rem Starts Medley from this checkout on Windows: the first call builds it. Delete .medley\built to build
rem again after a change.
setlocal
set "ROOT=%~dp0"
if exist "%ROOT%.medley\built" if exist "%ROOT%cli\target\medley\bin\medley.cmd" goto run
if not exist "%ROOT%.medley" mkdir "%ROOT%.medley"
where mvn >nul 2>nul
if errorlevel 1 (
    echo medley: no mvn in the PATH: building needs Maven 3.8.7 or later and a JDK 17 or later. 1>&2
    exit /b 2
)
echo medley: building, because this is the first call (log: .medley\build.log) 1>&2
pushd "%ROOT%"
call mvn -B -ntp -pl cli -am -DskipTests package > .medley\build.log 2>&1
if errorlevel 1 (
    popd
    echo medley: the build failed; %ROOT%.medley\build.log says why. 1>&2
    exit /b 1
)
popd
type nul > "%ROOT%.medley\built"
:run
call "%ROOT%cli\target\medley\bin\medley.cmd" %*
exit /b %errorlevel%
