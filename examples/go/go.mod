module example/weather

go 1.19
