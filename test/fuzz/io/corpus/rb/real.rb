A small matrix                                                          SMALL   
             3             1             1             1
rua                        3             3             4             0
(4I3)           (6I2)           (4E10.2)            
  1  3  4  5
 1 3 2 3
  1.00E+00  -2.5E+00       3.0  0.40D+02
